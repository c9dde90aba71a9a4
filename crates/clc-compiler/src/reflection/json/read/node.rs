//! A value of the JSON, for errors that say where it is.

use serde_json::Value;

/// A value, and the way to it for errors: `kernels[0].arguments[1]`.
pub(super) struct Node<'a> {
    pub value: &'a Value,
    parent: Option<&'a Node<'a>>,
    step: Step<'a>,
}

enum Step<'a> {
    Root,
    Field(&'a str),
    Index(usize),
}

impl std::fmt::Display for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        match self.step {
            Step::Root => Ok(()),
            Step::Field(name) => {
                let is_first = self.parent.is_none_or(|parent| matches!(parent.step, Step::Root));
                write!(f, "{}{name}", if is_first { "" } else { "." })
            }
            Step::Index(index) => write!(f, "[{index}]"),
        }
    }
}

impl<'a> Node<'a> {
    pub fn root(value: &'a Value) -> Node<'a> {
        Node { value, parent: None, step: Step::Root }
    }

    /// A field that is there and not null.
    pub fn optional<'b>(&'b self, name: &'b str) -> Option<Node<'b>> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(Node { value, parent: Some(self), step: Step::Field(name) })
    }

    pub fn field<'b>(&'b self, name: &'b str) -> Result<Node<'b>, String> {
        match self.value.get(name) {
            Some(value) => Ok(Node { value, parent: Some(self), step: Step::Field(name) }),
            None => {
                let missing =
                    Node { value: self.value, parent: Some(self), step: Step::Field(name) };
                Err(format!("it has no `{missing}`"))
            }
        }
    }

    pub fn wrong(&self, wanted: &str) -> String {
        format!("`{self}` is no {wanted}")
    }

    /// What `read` makes of the elements of a list.
    pub fn list<T>(
        &self,
        read: impl FnMut(&Node<'_>) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let mut read = read;
        let items = self.value.as_array().ok_or_else(|| self.wrong("list"))?;
        let items = items.iter().enumerate();
        items
            .map(|(index, value)| {
                read(&Node { value, parent: Some(self), step: Step::Index(index) })
            })
            .collect()
    }

    /// [`list`](Node::list) of a field.
    pub fn all<T>(
        &self,
        name: &str,
        read: impl FnMut(&Node<'_>) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        self.field(name)?.list(read)
    }

    pub fn text(&self) -> Result<&'a str, String> {
        self.value.as_str().ok_or_else(|| self.wrong("string"))
    }

    pub fn boolean(&self) -> Result<bool, String> {
        self.value.as_bool().ok_or_else(|| self.wrong("boolean"))
    }

    pub fn number<T: TryFrom<u64>>(&self) -> Result<T, String> {
        let number = self.value.as_u64().and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| self.wrong("number that can be here"))
    }

    /// A field that is a number or null.
    pub fn count(&self, name: &str) -> Result<Option<u64>, String> {
        self.optional(name).map(|value| value.number()).transpose()
    }

    pub fn one_of<T>(&self, named: impl FnOnce(&str) -> Option<T>) -> Result<T, String> {
        let name = self.text()?;
        named(name)
            .ok_or_else(|| format!("`{self}` is `{}`, which is unknown", name.escape_debug()))
    }

    pub fn three(&self) -> Result<[u32; 3], String> {
        let numbers = self.list(|item| item.number())?;
        numbers.try_into().map_err(|_| self.wrong("list of three"))
    }

    /// Ids of three constants, null for what is fixed.
    pub fn constants(&self) -> Result<[Option<u32>; 3], String> {
        let ids = self.list(|item| match item.value.is_null() {
            true => Ok(None),
            false => item.number().map(Some),
        })?;
        ids.try_into().map_err(|_| self.wrong("list of three"))
    }

    /// Hexadecimal digits.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        let (pairs, []) = self.text()?.as_bytes().as_chunks::<2>() else {
            return Err(self.wrong("even number of digits"));
        };
        let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        let bytes = pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?));
        bytes.collect::<Option<Vec<u8>>>().ok_or_else(|| self.wrong("hexadecimal digits"))
    }
}
