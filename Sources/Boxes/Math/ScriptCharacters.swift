// Superscript and subscript characters, for outputs that have no raised text.

package enum ScriptCharacters {
    package static let superscripts = table(
        "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻−⁻=⁼(⁽)⁾aᵃbᵇcᶜdᵈeᵉfᶠgᵍhʰiⁱjʲkᵏlˡmᵐnⁿoᵒpᵖrʳsˢtᵗuᵘvᵛwʷxˣyʸzᶻTᵀNᴺMᴹ")
    package static let subscripts = table("0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋−₋=₌(₍)₎aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓ")

    private static func table(_ pairs: String) -> [Unicode.Scalar: Unicode.Scalar] {
        let scalars = Array(pairs.unicodeScalars)
        var table: [Unicode.Scalar: Unicode.Scalar] = [:]
        for at in stride(from: 0, to: scalars.count - 1, by: 2) { table[scalars[at]] = scalars[at + 1] }
        return table
    }

    /// The text in characters of `table`; `nil` if one of them is missing.
    package static func map(_ text: some StringProtocol, _ table: [Unicode.Scalar: Unicode.Scalar]) -> String? {
        let mapped = text.unicodeScalars.compactMap { table[$0] }
        return mapped.count == text.unicodeScalars.count ? String(String.UnicodeScalarView(mapped)) : nil
    }
}
