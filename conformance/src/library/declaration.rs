//! Declarations of functions, as clang's header has them after preprocessing.

/// One overload.
pub struct Declaration {
    pub name: String,
    result: String,
    parameters: Vec<String>,
}

impl Declaration {
    /// A function that makes the call; `number` tells functions apart.
    pub fn call(&self, number: usize) -> String {
        let mut parameters = Vec::new();
        let mut arguments = Vec::new();
        for (index, ty) in self.parameters.iter().enumerate() {
            match self.constant(index, ty) {
                Some(constant) => arguments.push(constant.to_owned()),
                None => {
                    parameters.push(format!("{ty} a{index}"));
                    arguments.push(format!("a{index}"));
                }
            }
        }
        let result = if self.result == "void" { "" } else { "return " };
        format!(
            "{} f{number}({}) {{ {result}{}({}); }}\n",
            self.result,
            if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") },
            self.name,
            arguments.join(", ")
        )
    }

    /// An argument that has to be a constant: fence flags, orders, scopes (OpenCL C 6.15.8, 6.15.12),
    /// cluster sizes (6.15.19), formats (6.15.14).
    fn constant(&self, index: usize, ty: &str) -> Option<&'static str> {
        let is_last = index + 1 == self.parameters.len();
        match ty {
            "cl_mem_fence_flags" => Some("CLK_LOCAL_MEM_FENCE"),
            "memory_order" if self.name == "atomic_work_item_fence" => Some("memory_order_acq_rel"),
            "memory_order" => Some("memory_order_relaxed"),
            "memory_scope" => Some("memory_scope_work_group"),
            "uint" if is_last && self.name.contains("_clustered_") => Some("4"),
            _ if self.name == "printf" => Some("\"\""),
            _ => None,
        }
    }
}

/// Every declaration of a function in `text`.
pub fn parse(text: &str) -> Result<Vec<Declaration>, String> {
    let text: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect::<Vec<_>>()
        .join(" ");
    let mut declarations = Vec::new();
    for statement in statements(&text) {
        let statement = without_attributes(statement);
        let statement = statement.trim();
        if statement.starts_with("typedef") || !statement.ends_with(')') {
            continue;
        }
        let Some((head, parameters)) = statement.split_once('(') else { continue };
        let head = head.trim();
        let at = head.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
        let (result, name) = head.split_at(at);
        if result.trim().is_empty() {
            return Err(format!("not understood: {statement}"));
        }
        let parameters = parameters.trim_end_matches(')');
        declarations.push(Declaration {
            name: name.to_owned(),
            result: result.trim().to_owned(),
            parameters: parameters
                .split(',')
                .map(str::trim)
                .filter(|parameter| !matches!(*parameter, "" | "void" | "..."))
                .map(parameter_type)
                .collect(),
        });
    }
    Ok(declarations)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// What semicolons outside of braces end.
fn statements(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ';' if depth == 0 => {
                out.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    out
}

/// Without `__attribute__((…))`.
fn without_attributes(statement: &str) -> String {
    const WORD: &str = "__attribute__";
    let mut out = String::new();
    let mut rest = statement;
    while let Some((before, after)) = rest.split_once(WORD) {
        out.push_str(before);
        let mut depth = 0;
        let end = after.char_indices().find(|&(_, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            c == ')' && depth == 0
        });
        rest = end.map_or("", |(at, _)| &after[at + 1..]);
    }
    out.push_str(rest);
    out
}

/// The type of a parameter, without its name. Arrays are pointers (C99 6.7.5.3).
fn parameter_type(parameter: &str) -> String {
    let (parameter, is_array) = match parameter.split_once('[') {
        Some((parameter, _)) => (parameter.trim(), true),
        None => (parameter, false),
    };
    let at = parameter.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
    let before = &parameter[..at];
    let qualifiers = ["const", "volatile", "restrict", "read_only", "write_only", "read_write"];
    let words = || before.split(|c: char| !is_word(c)).map(|word| word.trim_matches('_'));
    let has_type = words().any(|word| {
        !word.is_empty()
            && !qualifiers.contains(&word)
            && !["global", "local", "constant", "private", "generic"].contains(&word)
    });
    let ty = if has_type { before.trim() } else { parameter };
    if is_array { format!("{ty} *") } else { ty.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_become_calls() {
        let text = "typedef int int2 __attribute__((ext_vector_type(2)));\n\
                    enum e { a, b };\n\
                    float4 __attribute__((overloadable)) __attribute__((pure)) f(read_only image2d_t i, sampler_t, const __global float *p);\n\
                    void g(void); ndrange_t h(const size_t[2], const size_t n[2]);\n\
                    int sub_group_clustered_x(int value,\n uint size);";
        let calls: String = parse(text).unwrap().iter().map(|found| found.call(7)).collect();
        assert_eq!(
            calls,
            "float4 f7(read_only image2d_t a0, sampler_t a1, const __global float * a2) { return f(a0, a1, a2); }\n\
             void f7(void) { g(); }\n\
             ndrange_t f7(const size_t * a0, const size_t * a1) { return h(a0, a1); }\n\
             int f7(int a0) { return sub_group_clustered_x(a0, 4); }\n"
        );
    }
}
