//! SPIRV-Tools' validator and assembler, compiled by this package without the optimiser, which is most
//! of SPIRV-Tools and not used: for `spirv_tools`, in place of its own `use-compiled-tools`.
//!
//! All unsafe code of validation is here: calls of the C interface that `spirv_tools_sys` declares.

#![warn(missing_docs)]

use std::ffi::CStr;
use std::ptr;

use spirv_tools::TargetEnv;
use spirv_tools::error::{Diagnostic, Error, SpirvResult};
use spirv_tools::val::{Validator, ValidatorOptions};
use spirv_tools_sys::{assembler, diagnostics, shared, val};

/// What the tools know of a target environment.
struct Context(*mut shared::ToolContext);

impl Context {
    fn new(environment: TargetEnv) -> Context {
        // SAFETY: any environment of the enumeration is one of the library's.
        let context = unsafe { shared::context_create(environment) };
        assert!(!context.is_null(), "SPIRV-Tools know no {environment:?}");
        Context(context)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: it came from `context_create`, and nothing else has it.
        unsafe { shared::context_destroy(self.0) }
    }
}

/// SPIRV-Tools' validator for one target environment.
pub struct LinkedValidator(Context);

impl Default for LinkedValidator {
    fn default() -> LinkedValidator {
        LinkedValidator::with_env(TargetEnv::default())
    }
}

impl Validator for LinkedValidator {
    fn with_env(environment: TargetEnv) -> LinkedValidator {
        LinkedValidator(Context::new(environment))
    }

    fn validate(
        &self,
        binary: impl AsRef<[u32]>,
        options: Option<ValidatorOptions>,
    ) -> Result<(), Error> {
        let words = binary.as_ref();
        let options = Options::new(options.unwrap_or_default());
        // Names for messages are made of the whole module, which is read once more for them, before anything is
        // looked at. So they are left for modules that have a message.
        options.with_names(false);
        self.0.validate(words, &options).or_else(|_| {
            options.with_names(true);
            self.0.validate(words, &options)
        })
    }
}

impl Context {
    fn validate(&self, words: &[u32], options: &Options) -> Result<(), Error> {
        let binary = shared::Binary { code: words.as_ptr(), size: words.len() };
        let mut diagnostic = ptr::null_mut();
        // SAFETY: the context, the options and the words live until the call returns, and the library
        // keeps none of them; the diagnostic is taken over below.
        let result =
            unsafe { val::validate_with_options(self.0, options.0, &binary, &mut diagnostic) };
        outcome(result, diagnostic)
    }
}

unsafe extern "C" {
    /// Whether messages have the names of the module beside ids; so they have if this is not called. `libspirv.h`
    /// declares it, `spirv_tools_sys` does not.
    #[link_name = "spvValidatorOptionsSetFriendlyNames"]
    fn validator_options_set_friendly_names(options: *mut val::ValidatorOptions, value: bool);
}

/// The validator's own form of its options.
struct Options(*mut val::ValidatorOptions);

impl Options {
    fn new(options: ValidatorOptions) -> Options {
        // SAFETY: the object is made here and used by this thread alone.
        unsafe {
            let made = Options(val::validator_options_create());
            if let Some(relaxed) = options.relax_block_layout {
                val::validator_options_set_relax_block_layout(made.0, relaxed);
            }
            // What is false is the library's default.
            if options.relax_struct_store {
                val::validator_options_set_relax_store_struct(made.0, true);
            }
            if options.relax_logical_pointer {
                val::validator_options_set_relax_logical_pointer(made.0, true);
            }
            if options.before_legalization {
                val::validator_options_set_before_legalization(made.0, true);
            }
            if options.uniform_buffer_standard_layout {
                val::validator_options_set_uniform_buffer_standard_layout(made.0, true);
            }
            if options.scalar_block_layout {
                val::validator_options_set_scalar_block_layout(made.0, true);
            }
            if options.skip_block_layout {
                val::validator_options_set_skip_block_layout(made.0, true);
            }
            for (limit, value) in options.max_limits {
                val::validator_options_set_limit(made.0, limit, value);
            }
            made
        }
    }

    /// Whether messages have the names of the module beside ids.
    fn with_names(&self, names: bool) {
        // SAFETY: the object lives as long as this, and this thread alone uses it.
        unsafe { validator_options_set_friendly_names(self.0, names) }
    }
}

impl Drop for Options {
    fn drop(&mut self) {
        // SAFETY: it came from `validator_options_create`, and nothing else has it.
        unsafe { val::validator_options_destroy(self.0) }
    }
}

/// The words of a module in the assembly language of SPIRV-Tools.
pub fn assemble(text: &str, environment: TargetEnv) -> Result<Vec<u32>, Error> {
    let context = Context::new(environment);
    let mut binary: *mut shared::Binary = ptr::null_mut();
    let mut diagnostic = ptr::null_mut();
    // SAFETY: the text and its length are of one string; what the library makes is taken over here.
    unsafe {
        let result = assembler::assemble(
            context.0,
            text.as_ptr().cast(),
            text.len(),
            0,
            &mut binary,
            &mut diagnostic,
        );
        let words = match binary.is_null() {
            true => Vec::new(),
            false => std::slice::from_raw_parts((*binary).code, (*binary).size).to_vec(),
        };
        shared::binary_destroy(binary);
        outcome(result, diagnostic).map(|()| words)
    }
}

/// What a call says, with the diagnostic that it leaves, which is freed.
fn outcome(result: SpirvResult, diagnostic: *mut diagnostics::Diagnostic) -> Result<(), Error> {
    // SAFETY: the library gives a valid diagnostic or none; its message ends with a zero byte.
    let diagnostic = (!diagnostic.is_null()).then(|| unsafe {
        let given = &*diagnostic;
        let text = CStr::from_ptr(given.error).to_string_lossy();
        // The first line is the message, the others show the instruction.
        let (message, notes) = text.split_once('\n').unwrap_or((&text, ""));
        let taken = Diagnostic {
            line: given.position.line,
            column: given.position.column,
            index: given.position.index,
            message: message.to_owned(),
            notes: notes.to_owned(),
            is_text: given.is_text_source,
        };
        diagnostics::diagnostic_destroy(diagnostic);
        taken
    });
    match result {
        SpirvResult::Success => Ok(()),
        inner => Err(Error { inner, diagnostic }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY_KERNEL: &str = "
        OpCapability Addresses
        OpCapability Kernel
        OpMemoryModel Physical64 OpenCL
        OpEntryPoint Kernel %kernel \"nothing\"
        %void = OpTypeVoid
        %type = OpTypeFunction %void
        %kernel = OpFunction %void None %type
        %entry = OpLabel
        OpReturn
        OpFunctionEnd";

    fn validated(text: &str) -> Result<(), Error> {
        let words = assemble(text, TargetEnv::Universal_1_0).unwrap();
        LinkedValidator::with_env(TargetEnv::OpenCL_2_0).validate(words, None)
    }

    #[test]
    fn a_kernel_is_assembled_and_valid() {
        assert_eq!(validated(EMPTY_KERNEL), Ok(()));
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = validated(&EMPTY_KERNEL.replace("OpReturn", "")).unwrap_err();
        assert_eq!(error.inner, SpirvResult::InvalidLayout);
        assert!(error.to_string().contains("OpFunctionEnd"), "{error}");
    }

    #[test]
    fn messages_have_the_names_of_the_module() {
        let named = EMPTY_KERNEL
            .replace("%void = OpTypeVoid", "OpName %type \"name_of_it\"\n%void = OpTypeVoid")
            .replace("%kernel \"nothing\"", "%type \"nothing\"");
        let error = validated(&named).unwrap_err();
        assert!(error.to_string().contains("[%name_of_it]"), "{error}");
    }

    #[test]
    fn text_that_is_no_assembly_has_a_place() {
        let error = assemble("OpCapability\n\nOpNothing", TargetEnv::Universal_1_0).unwrap_err();
        assert_eq!(error.inner, SpirvResult::InvalidText);
        let diagnostic = error.diagnostic.unwrap();
        assert!(diagnostic.is_text && diagnostic.line > 0, "{diagnostic:?}");
    }

    #[test]
    fn limits_are_the_callers() {
        let words = assemble(EMPTY_KERNEL, TargetEnv::Universal_1_0).unwrap();
        let limit = |bound| ValidatorOptions {
            max_limits: vec![(val::ValidatorLimits::IdBound, bound)],
            ..ValidatorOptions::default()
        };
        let validator = LinkedValidator::with_env(TargetEnv::Universal_1_0);
        assert!(validator.validate(&words, Some(limit(2))).is_err());
        assert_eq!(validator.validate(&words, Some(limit(1000))), Ok(()));
    }

    #[test]
    fn any_words_are_answered() {
        for words in
            [&[][..], &[0x0723_0203], &[0x0723_0203, 0x0001_0000, 0, u32::MAX, 0, 0xffff_0001]]
        {
            assert!(LinkedValidator::default().validate(words, None).is_err());
        }
    }
}
