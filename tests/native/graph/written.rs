//! ONNX files written by hand, byte by byte, for tests.

/// A whole number as the wire has it.
pub fn varint(mut n: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while n > 127 {
        bytes.push(n as u8 | 128);
        n >>= 7;
    }
    bytes.push(n as u8);
    bytes
}

/// A field that holds a whole number.
pub fn number(field: u64, n: i64) -> Vec<u8> {
    [varint(field << 3), varint(n.cast_unsigned())].concat()
}

/// A field that holds bytes, a text or a message.
pub fn bytes(field: u64, content: &[u8]) -> Vec<u8> {
    [
        &varint(field << 3 | 2),
        &varint(content.len() as u64),
        content,
    ]
    .concat()
}

/// An attribute that is a whole number.
pub fn int(name: &str, n: i64) -> Vec<u8> {
    bytes(
        5,
        &[bytes(1, name.as_bytes()), number(3, n), number(20, 2)].concat(),
    )
}

/// An attribute that is a list of whole numbers.
pub fn ints(name: &str, list: &[i64]) -> Vec<u8> {
    let list: Vec<u8> = list.iter().flat_map(|n| number(8, *n)).collect();
    bytes(
        5,
        &[bytes(1, name.as_bytes()), list, number(20, 7)].concat(),
    )
}

/// An attribute that is a text.
pub fn text(name: &str, value: &str) -> Vec<u8> {
    bytes(
        5,
        &[bytes(1, name.as_bytes()), bytes(4, value.as_bytes())].concat(),
    )
}

/// An attribute that is a graph.
pub fn graph(name: &str) -> Vec<u8> {
    bytes(5, &[bytes(1, name.as_bytes()), bytes(6, &[])].concat())
}

/// Type and lengths of a tensor, each length a number, a name or `?`.
fn typed(field: u64, name: &str, element: i64, lengths: &str) -> Vec<u8> {
    let length = |length: &str| match (length, length.parse()) {
        ("?", _) => bytes(1, &[]),
        (_, Ok(n)) => bytes(1, &number(1, n)),
        (name, Err(_)) => bytes(1, &bytes(2, name.as_bytes())),
    };
    let shape: Vec<u8> = lengths.split_whitespace().flat_map(length).collect();
    let tensor = [number(1, element), bytes(2, &shape)].concat();
    let named = [bytes(1, name.as_bytes()), bytes(2, &bytes(1, &tensor))].concat();
    bytes(field, &named)
}

/// A file in the making.
#[derive(Clone, Default)]
pub struct File {
    parts: Vec<u8>,
}

impl File {
    /// A node; operands and results are separated by blanks, `-` is one that is left out.
    pub fn node(
        mut self,
        op: &str,
        name: &str,
        reads: &str,
        makes: &str,
        rest: &[Vec<u8>],
    ) -> Self {
        let list = |field: u64, names: &str| -> Vec<u8> {
            let one = |name| {
                bytes(
                    field,
                    if name == "-" {
                        &[]
                    } else {
                        str::as_bytes(name)
                    },
                )
            };
            names.split_whitespace().flat_map(one).collect()
        };
        let (domain, op) = op.rsplit_once('.').unwrap_or(("", op));
        let parts = [
            list(1, reads),
            list(2, makes),
            bytes(3, name.as_bytes()),
            bytes(4, op.as_bytes()),
        ];
        let node = [parts.concat(), rest.concat(), bytes(7, domain.as_bytes())].concat();
        self.parts.extend(bytes(1, &node));
        self
    }

    /// An initializer without data.
    pub fn weight(self, name: &str, element: i64, lengths: &[i64]) -> Self {
        let lengths: Vec<u8> = lengths.iter().flat_map(|n| number(1, *n)).collect();
        self.part(
            5,
            &[lengths, number(2, element), bytes(8, name.as_bytes())].concat(),
        )
    }

    /// A constant list of 64-bit numbers.
    pub fn list(self, name: &str, list: &[i64]) -> Self {
        let raw: Vec<u8> = list.iter().flat_map(|n| n.to_le_bytes()).collect();
        let parts = [
            number(1, list.len() as i64),
            number(2, 7),
            bytes(8, name.as_bytes()),
            bytes(9, &raw),
        ];
        self.part(5, &parts.concat())
    }

    /// A constant list of float32.
    pub fn floats(self, name: &str, list: &[f32]) -> Self {
        let raw: Vec<u8> = list.iter().flat_map(|n| n.to_le_bytes()).collect();
        let parts = [
            number(1, list.len() as i64),
            number(2, 1),
            bytes(8, name.as_bytes()),
            bytes(9, &raw),
        ];
        self.part(5, &parts.concat())
    }

    pub fn input(mut self, name: &str, element: i64, lengths: &str) -> Self {
        self.parts.extend(typed(11, name, element, lengths));
        self
    }

    pub fn shape(mut self, name: &str, lengths: &str) -> Self {
        self.parts.extend(typed(13, name, 1, lengths));
        self
    }

    /// An output of whose shape nothing is said.
    pub fn open_output(self, name: &str) -> Self {
        self.part(12, &bytes(1, name.as_bytes()))
    }

    /// A field of the graph.
    pub fn part(mut self, field: u64, content: &[u8]) -> Self {
        self.parts.extend(bytes(field, content));
        self
    }

    /// The fields of the graph so far.
    pub fn parts(&self) -> &[u8] {
        &self.parts
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        [number(1, 8), bytes(7, &self.parts)].concat()
    }
}
