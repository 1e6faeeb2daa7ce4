//! The published splits beside ours, under every reading of the machines' speeds that was tried.
