//! Operator graphs: orders against every order there is, the paper's figures, and where tensors lie.

mod arena;
mod oracle;
mod parity;
mod published;
mod resident;
mod scenario;
mod slices;
mod slices_oracle;
mod split_published;
mod split_report;
mod split_search;
