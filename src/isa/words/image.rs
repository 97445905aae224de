//! Images in words: what is asked of the image, and which parts of the address say how.

use crate::isa::does::{Conversion, Ray, Texels};
use crate::isa::image::{Address, Shape};
use crate::isa::row::Inst;

/// What an image instruction does.
pub(super) fn texels(row: &Inst, texels: Texels) -> String {
    const WHO: &str = "each active lane";
    let address = Shape::of(row).address;
    let level =
        if address.contains(Address::MIP) { "of the mip level of the address" } else { "of the first mip level" };
    let range = "out of range";
    match texels {
        Texels::Load(Conversion::Format) => format!(
            "{WHO} loads the components that dmask names of the texel at its coordinates, {level}, converted from the format of the \
             descriptor; {range} is 0"
        ),
        Texels::Load(Conversion::Raw { signed }) => {
            let extended = if signed { "its sign" } else { "zeroes" };
            format!(
                "{WHO} loads the words that dmask names of the element at its coordinates, {level}, unconverted; an element of less than \
                 32 bits is extended with {extended}; {range} is 0"
            )
        }
        Texels::Store(Conversion::Format) => format!(
            "{WHO} stores the components that dmask names to the texel at its coordinates, {level}, converted to the format of the \
             descriptor, and for the others 0, from gfx12 on the first of those; {range} nothing is stored"
        ),
        Texels::Store(Conversion::Raw { .. }) => format!(
            "{WHO} stores the words that dmask names to the element at its coordinates, {level}, unconverted; {range} nothing is stored"
        ),
        Texels::LoadSamples => {
            format!(
                "{WHO} loads the component that dmask names of four samples of the texel at its coordinates; {range} is 0"
            )
        }
        Texels::Describe => format!(
            "{WHO} gets the width, height, depth or layers of the mip level of its address, and the number of levels, as far as dmask \
             names them"
        ),
        Texels::Sample => format!(
            "{WHO} gets the components that dmask names of the image at its coordinates, filtered as the sampler says{}",
            parts(address)
        ),
        Texels::Gather => format!(
            "{WHO} gets the component that dmask names of the four texels that a linear filter would blend at its coordinates{}",
            parts(address)
        ),
        Texels::GatherRow => format!("{WHO} gets components of texels that lie in a row"),
        Texels::Level => {
            format!("{WHO} gets the mip level that a sample at its coordinates would be of, and the one asked for")
        }
    }
}

/// What a ray is held against.
pub(super) fn ray(ray: Ray) -> &'static str {
    match ray {
        Ray::One => {
            "each active lane holds its ray against a node of the tree: of boxes it gets the pointers of those that are hit, sorted, of a \
             triangle distance, denominator and coordinates, or whether it is hit"
        }
        Ray::Two => {
            "each active lane holds its ray against two nodes of the tree, and gets four words of each and two more; into the space of an \
             instance the ray is brought"
        }
        Ray::Eight => {
            "each active lane holds its ray against a node of eight boxes, of a pair of triangles, or against an instance, into whose space \
             it is brought, and gets ten words"
        }
    }
}

/// What other parts of the address do to a sample.
fn parts(address: Address) -> String {
    let gradients = Address::GRADIENTS.union(Address::GRADIENTS16);
    let implicit = "the level of detail follows from neighbouring lanes";
    let level = match () {
        () if address.contains(Address::ZERO) => "the level of detail is 0",
        () if address.contains(Address::LOD) => "the level of detail is in the address",
        () if address.intersects(gradients) => "the level of detail follows from gradients in the address",
        () => implicit,
    };
    let more = [
        (Address::BIAS, "a bias is added to it"),
        (Address::CLAMP, "it is not less than the address says"),
        (Address::OFFSET, "offsets are added to the texels"),
        (Address::COMPARE, "texels are compared with a reference first"),
    ];
    let more = more.into_iter().filter(|(part, _)| address.contains(*part)).map(|(_, text)| text);
    std::iter::once(level).chain(more).fold(String::new(), |all, text| all + "; " + text)
}
