
/// The work-items of a launch in `D` dimensions.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Global<const D: usize> {
    /// What global ids begin with.
    pub offset: [usize; D],
    /// How many there are in each dimension.
    pub size: [usize; D],
}

/// The work-items of a launch, and how many of them make a work-group.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range<const D: usize> {
    /// The work-items.
    pub global: Global<D>,
    /// The size of a work-group; `None` leaves it to the driver.
    pub local: Option<[usize; D]>,
}

#[allow(dead_code)]
impl<const D: usize> Global<D> {
    /// So many work-items, with ids from 0 on.
    pub const fn new(size: [usize; D]) -> Self {
        Self { offset: [0; D], size }
    }

    /// With these in a work-group.
    pub const fn local(self, size: [usize; D]) -> Range<D> {
        Range { global: self, local: Some(size) }
    }
}

impl<const D: usize> From<[usize; D]> for Global<D> {
    fn from(size: [usize; D]) -> Self {
        Self::new(size)
    }
}

impl<const D: usize> From<[usize; D]> for Range<D> {
    fn from(size: [usize; D]) -> Self {
        Global::new(size).into()
    }
}

impl<const D: usize> From<Global<D>> for Range<D> {
    fn from(global: Global<D>) -> Self {
        Self { global, local: None }
    }
}

#[allow(dead_code, unsafe_code)]
unsafe fn enqueue<const D: usize>(
    queue: &::opencl3::command_queue::CommandQueue,
    kernel: &::opencl3::kernel::Kernel,
    range: Range<D>,
    wait: &[::opencl3::types::cl_event],
) -> ::opencl3::Result<::opencl3::event::Event> {
    const { assert!(D >= 1 && D <= 3, "a launch has one, two or three dimensions") };
    let local = range.local.as_ref().map_or(core::ptr::null(), |size| size.as_ptr());
    let Global { offset, size } = &range.global;
    unsafe {
        queue.enqueue_nd_range_kernel(
            kernel.get(),
            D as u32,
            offset.as_ptr(),
            size.as_ptr(),
            local,
            wait,
        )
    }
}
