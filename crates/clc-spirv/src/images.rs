//! What OpTypeImage says of each kind of image.

use clc_builtins::ImageKind;
use spirv::Dim;

/// The dimensions of an image, and whether it is of depth, an array and multisampled.
pub(crate) fn dimensions(kind: ImageKind) -> (Dim, bool, bool, bool) {
    match kind {
        ImageKind::Image1d => (Dim::Dim1D, false, false, false),
        ImageKind::Image1dBuffer => (Dim::DimBuffer, false, false, false),
        ImageKind::Image1dArray => (Dim::Dim1D, false, true, false),
        ImageKind::Image2d => (Dim::Dim2D, false, false, false),
        ImageKind::Image2dArray => (Dim::Dim2D, false, true, false),
        ImageKind::Image2dDepth => (Dim::Dim2D, true, false, false),
        ImageKind::Image2dArrayDepth => (Dim::Dim2D, true, true, false),
        ImageKind::Image2dMsaa => (Dim::Dim2D, false, false, true),
        ImageKind::Image2dArrayMsaa => (Dim::Dim2D, false, true, true),
        ImageKind::Image2dMsaaDepth => (Dim::Dim2D, true, false, true),
        ImageKind::Image2dArrayMsaaDepth => (Dim::Dim2D, true, true, true),
        ImageKind::Image3d => (Dim::Dim3D, false, false, false),
    }
}
