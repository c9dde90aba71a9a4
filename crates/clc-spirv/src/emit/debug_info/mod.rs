//! NonSemantic.Shader.DebugInfo.100 and OpenCL.DebugInfo.100, from the same tables.
//!
//! The two differ in how numbers are said (ids of constants, or words), in the operands of three
//! instructions, and in what may be referred to before it is there: nothing in the one, functions
//! and members in the other. What is declared is what instructions of the module refer to.

use clc_base::Span;
use clc_base::arena::Id as _;
use clc_ir::debug::{DebugType, DebugVariable, Holds, Location, Part, Place, Scope};
use clc_ir::{Block, FuncId, Inst, TypePool};
use clc_legalise::DebugLevel;
use rustc_hash::FxHashMap;
use spirv::{Op, SourceLanguage};

use super::{Id, ModuleEmitter};

mod code;
mod types;

/// Numbers of instructions that both sets have (section 4 of either specification).
mod number {
    pub const INFO_NONE: u32 = 0;
    pub const COMPILATION_UNIT: u32 = 1;
    pub const TYPE_BASIC: u32 = 2;
    pub const TYPE_POINTER: u32 = 3;
    pub const TYPE_QUALIFIER: u32 = 4;
    pub const TYPE_ARRAY: u32 = 5;
    pub const TYPE_VECTOR: u32 = 6;
    pub const TYPE_FUNCTION: u32 = 8;
    pub const TYPE_ENUM: u32 = 9;
    pub const TYPE_COMPOSITE: u32 = 10;
    pub const TYPE_MEMBER: u32 = 11;
    pub const GLOBAL_VARIABLE: u32 = 18;
    pub const FUNCTION: u32 = 20;
    pub const LEXICAL_BLOCK: u32 = 21;
    pub const SCOPE: u32 = 23;
    pub const NO_SCOPE: u32 = 24;
    pub const INLINED_AT: u32 = 25;
    pub const LOCAL_VARIABLE: u32 = 26;
    pub const DECLARE: u32 = 28;
    pub const VALUE: u32 = 29;
    pub const OPERATION: u32 = 30;
    pub const EXPRESSION: u32 = 31;
    pub const SOURCE: u32 = 35;
    /// These three are of the set for shaders alone.
    pub const FUNCTION_DEFINITION: u32 = 101;
    pub const SOURCE_CONTINUED: u32 = 102;
    pub const LINE: u32 = 103;
    pub const NO_LINE: u32 = 104;
}

/// Versions of the instruction sets and of DWARF, whose model they have.
const VERSION: u32 = 1;
const DWARF_VERSION: u32 = 4;

const FLAG_IS_LOCAL: u32 = 1 << 2;
const FLAG_IS_DEFINITION: u32 = 1 << 3;
const FLAG_FORWARD: u32 = 1 << 4;
const FLAG_PROTOTYPED: u32 = 1 << 7;

const FRAGMENT: u32 = 9;

/// Bytes of text in one OpString: 65,535 words, less the instruction and its id and the final NUL.
const MOST_TEXT: usize = (0xffff - 3) * 4;

/// What is declared so far.
#[derive(Debug, Default)]
pub(in crate::emit) struct DebugInfoState {
    set: Id,
    void: Id,
    none: Id,
    unit: Id,
    sources: FxHashMap<String, Id>,
    strings: FxHashMap<String, Id>,
    expressions: FxHashMap<Option<Part>, Id>,
    types: FxHashMap<DebugType, Id>,
    /// Records whose members are being declared, with what stands for them in the meantime.
    open: Vec<(DebugType, Option<Id>)>,
    scopes: FxHashMap<Scope, Id>,
    inlined: FxHashMap<Location, Id>,
    variables: FxHashMap<DebugVariable, Id>,
    /// The function of the module that a function of the source became first.
    functions: FxHashMap<Scope, FuncId>,
    /// The scope that instructions are marked with at the moment.
    current: Place,
    current_line: Option<[u32; 5]>,
}

/// What debug information says about one function, by position.
pub(in crate::emit) type AtPositions = FxHashMap<(Block, Option<Inst>), Vec<Holds>>;

impl ModuleEmitter<'_> {
    /// Whether debug information is written rather than lines.
    pub(in crate::emit) fn has_debug_info(&self) -> bool {
        self.debug_info.is_some()
    }

    /// Begins debug information: the set, and what stands for what is not known.
    pub(in crate::emit) fn start_debug_info(&mut self) {
        let shader = self.shader.is_some();
        let is_allowed = !shader
            || self.version_at_least(1, 6)
            || self.options.extensions.allows("SPV_KHR_non_semantic_info");
        if self.options.debug != DebugLevel::Full || self.debug_tables.is_none() || !is_allowed {
            return;
        }
        if shader && !self.version_at_least(1, 6) {
            self.extension("SPV_KHR_non_semantic_info");
        }
        let set = if shader { "NonSemantic.Shader.DebugInfo.100" } else { "OpenCL.DebugInfo.100" };
        let set = self.import(set);
        let void = self.type_id(TypePool::VOID);
        self.debug_info = Some(Box::new(DebugInfoState { set, void, ..Default::default() }));
        let none = self.declare_debug(number::INFO_NONE, &[]);
        self.info().none = none;
        for (id, function) in self.functions.iter() {
            if let Some(debug) = &function.debug
                && let Some(place) = self.debug_tables.and_then(|tables| tables.place(debug.place))
                && !function.is_declaration()
            {
                self.info().functions.entry(place.scope).or_insert(id);
            }
        }
        let file = self.source_map.files().first().map_or(String::new(), |file| file.name.clone());
        let source = self.debug_source(&file);
        let operands = [
            self.number(VERSION),
            self.number(DWARF_VERSION),
            source,
            self.number(SourceLanguage::OpenCL_C as u32),
        ];
        let unit = self.declare_debug(number::COMPILATION_UNIT, &operands);
        self.info().unit = unit;
    }

    fn info(&mut self) -> &mut DebugInfoState {
        self.debug_info.as_mut().expect("debug information is wanted")
    }

    /// A number as the set has them: a constant, or itself.
    fn number(&mut self, number: u32) -> u32 {
        if self.shader.is_some() { self.u32_constant(number) } else { number }
    }

    fn bits(&mut self, bytes: u64) -> Id {
        let bits = bytes.saturating_mul(8);
        match u32::try_from(bits) {
            Err(_) if self.is_declared(TypePool::I64) => self.int_constant(TypePool::I64, bits),
            bits => self.u32_constant(bits.unwrap_or(u32::MAX)),
        }
    }

    fn declare_debug(&mut self, number: u32, operands: &[u32]) -> Id {
        let id = self.fresh_id();
        self.declare_debug_as(id, number, operands);
        id
    }

    fn declare_debug_as(&mut self, id: Id, number: u32, operands: &[u32]) {
        let DebugInfoState { set, void, .. } = *self.info();
        let start = self.declarations.begin(Op::ExtInst);
        self.declarations.words.extend_from_slice(&[void, id, set, number]);
        self.declarations.words.extend_from_slice(operands);
        self.declarations.end(start);
    }

    fn debug_string(&mut self, text: &str) -> Id {
        if let Some(&id) = self.info().strings.get(text) {
            return id;
        }
        let id = self.string(&text.replace('\0', " "));
        self.info().strings.insert(text.to_owned(), id);
        id
    }

    /// A file with its text, as far as the set can say it.
    fn debug_source(&mut self, name: &str) -> Id {
        if let Some(&id) = self.info().sources.get(name) {
            return id;
        }
        let file = self.debug_string(name);
        let source_map = self.source_map;
        let text = source_map.files().iter().find(|file| file.name == name);
        let text = text.map_or_else(String::new, |file| file.text.replace('\0', " "));
        let mut operands = vec![file];
        let mut rest = text.as_str();
        let is_short = rest.len() <= MOST_TEXT;
        if !rest.is_empty() && (is_short || self.shader.is_some()) {
            let (first, more) = rest.split_at(rest.floor_char_boundary(MOST_TEXT));
            operands.push(self.string(first));
            rest = more;
        } else {
            rest = "";
        }
        let id = self.declare_debug(number::SOURCE, &operands);
        while !rest.is_empty() {
            let (first, more) = rest.split_at(rest.floor_char_boundary(MOST_TEXT));
            let text = self.string(first);
            self.declare_debug(number::SOURCE_CONTINUED, &[text]);
            rest = more;
        }
        self.info().sources.insert(name.to_owned(), id);
        id
    }

    /// Source, line and column of a position.
    fn debug_position(&mut self, at: u32) -> (Id, u32, u32) {
        let place = self.locate_name(Span::new(at, at));
        match place {
            Some((name, line, column)) => (self.debug_source(&name), line, column),
            None => {
                let files = self.source_map.files();
                let file = files.first().map_or(String::new(), |file| file.name.clone());
                (self.debug_source(&file), 0, 0)
            }
        }
    }

    /// Source, line and column as operands.
    fn debug_place(&mut self, span: Span) -> [u32; 3] {
        let (source, line, column) = self.debug_position(span.lo);
        [source, self.number(line), self.number(column)]
    }

    fn debug_scope(&mut self, scope: Scope) -> Id {
        if let Some(&id) = self.info().scopes.get(&scope) {
            return id;
        }
        let tables = self.debug_tables.expect("scopes are of a table");
        // Blocks nest as deep as the source; the outermost that is not declared comes first.
        let mut missing = vec![scope];
        while let Some(parent) = tables.scopes[missing[missing.len() - 1]].parent
            && !self.info().scopes.contains_key(&parent)
        {
            missing.push(parent);
        }
        let mut id = 0;
        for scope in missing.into_iter().rev() {
            let data = &tables.scopes[scope];
            let place = self.debug_place(data.span);
            id = match (&data.function, data.parent) {
                (Some(function), _) => self.debug_function(scope, function, place),
                (None, parent) => {
                    let unit = self.info().unit;
                    let known = &self.info().scopes;
                    let parent = parent.and_then(|it| known.get(&it).copied()).unwrap_or(unit);
                    let [source, line, column] = place;
                    self.declare_debug(number::LEXICAL_BLOCK, &[source, line, column, parent])
                }
            };
            self.info().scopes.insert(scope, id);
        }
        id
    }

    fn debug_function(
        &mut self,
        scope: Scope,
        function: &clc_ir::debug::ScopeFunction,
        place: [u32; 3],
    ) -> Id {
        let void = self.info().void;
        let result = function.result.map_or(void, |ty| self.debug_type(ty));
        let mut ty = vec![self.number(0), result];
        for &param in &function.params {
            ty.push(self.debug_type(param));
        }
        let ty = self.declare_debug(number::TYPE_FUNCTION, &ty);
        let mut flags = FLAG_IS_DEFINITION | FLAG_PROTOTYPED;
        if !function.is_external {
            flags |= FLAG_IS_LOCAL;
        }
        let mut operands = vec![self.debug_string(&function.name), ty];
        operands.extend(place);
        operands.push(self.info().unit);
        operands.push(self.debug_string(&function.linkage_name));
        let (_, line, _) = self.debug_position(function.body.lo);
        operands.extend([self.number(flags), self.number(line)]);
        if self.shader.is_none() {
            let none = self.info().none;
            let target = self.info().functions.get(&scope).copied();
            // A function that was inlined everywhere is not written.
            let id = target.map_or(0, |id| self.function_ids[id.index()]);
            operands.push(if id == 0 { none } else { id });
        }
        self.declare_debug(number::FUNCTION, &operands)
    }

    /// DebugInlinedAt of a call.
    fn debug_inlined(&mut self, call: Location) -> Option<Id> {
        if let Some(&id) = self.info().inlined.get(&call) {
            return Some(id);
        }
        let tables = self.debug_tables?;
        // Calls are inlined in calls as deep as functions call each other.
        let mut chain = vec![call];
        while let Some(outer) = tables.place(chain[chain.len() - 1].place)?.inlined_at
            && !self.info().inlined.contains_key(&outer)
        {
            chain.push(outer);
        }
        let mut id = 0;
        for call in chain.into_iter().rev() {
            let place = tables.place(call.place)?;
            let (_, line, _) = self.debug_position(call.span.lo);
            let mut operands = vec![self.number(line), self.debug_scope(place.scope)];
            if let Some(outer) = place.inlined_at {
                operands.extend(self.info().inlined.get(&outer).copied());
            }
            id = self.declare_debug(number::INLINED_AT, &operands);
            self.info().inlined.insert(call, id);
        }
        Some(id)
    }

    fn debug_variable(&mut self, variable: DebugVariable) -> Option<Id> {
        if let Some(&id) = self.info().variables.get(&variable) {
            return Some(id);
        }
        let data = &self.debug_tables?.variables[variable];
        let scope = self.debug_scope(data.scope?);
        let mut operands = vec![self.debug_string(&data.name), self.debug_type(data.ty)];
        operands.extend(self.debug_place(data.span));
        operands.extend([scope, self.number(FLAG_IS_LOCAL)]);
        if data.argument > 0 {
            operands.push(self.number(data.argument));
        }
        let id = self.declare_debug(number::LOCAL_VARIABLE, &operands);
        self.info().variables.insert(variable, id);
        Some(id)
    }

    /// Variables at program scope, once it is known which of them are in the module.
    pub(in crate::emit) fn debug_globals(&mut self) {
        let Some(tables) = self.debug_tables.filter(|_| self.has_debug_info()) else { return };
        let mut ids: FxHashMap<&str, Id> = FxHashMap::default();
        let globals = self.globals;
        for (id, global) in globals.iter() {
            let state = self.global_ids[id.index()];
            if let super::variables::GlobalState::Declared { variable, .. } = state {
                ids.insert(&global.name, variable);
            }
        }
        for data in tables.variables.values() {
            let Some(linkage_name) = &data.global else { continue };
            let none = self.info().none;
            let id = ids.get(linkage_name.as_str()).copied().unwrap_or(none);
            let mut operands = vec![self.debug_string(&data.name), self.debug_type(data.ty)];
            operands.extend(self.debug_place(data.span));
            operands.push(self.info().unit);
            operands.extend([self.debug_string(linkage_name), id]);
            operands.push(self.number(FLAG_IS_DEFINITION));
            self.declare_debug(number::GLOBAL_VARIABLE, &operands);
        }
    }

    /// DebugExpression of bytes of a variable, or of all of it.
    fn debug_expression(&mut self, part: Option<Part>) -> Id {
        if let Some(&id) = self.info().expressions.get(&part) {
            return id;
        }
        let mut operands = Vec::new();
        if let Some(Part { offset, size }) = part {
            let operation = [FRAGMENT, offset.saturating_mul(8), size.saturating_mul(8)]
                .map(|number| self.number(number));
            operands.push(self.declare_debug(number::OPERATION, &operation));
        }
        let id = self.declare_debug(number::EXPRESSION, &operands);
        self.info().expressions.insert(part, id);
        id
    }
}
