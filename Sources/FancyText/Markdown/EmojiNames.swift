// The names that GitHub gives emoji, as in `:rocket:`.

enum EmojiNames {
    /// Emoji by Unicode's names, with and without a last word for their kind, and by frequent names of GitHub that differ.
    static let emoji: [Substring: String] = {
        var emoji: [Substring: String] = [:]
        for scalar in [0x2190...0x2BFF, 0x1F000...0x1FAFF].joined().compactMap({ Unicode.Scalar($0 as UInt32) })
        where scalar.properties.isEmoji {
            let words = (scalar.properties.name ?? "").lowercased().split { $0 == " " || $0 == "-" }
            let hasKind = ["sign", "face", "symbol"].contains(words.last)
            for name in hasKind ? [words, words.dropLast()] : [words] {
                emoji[name.joined(separator: "_")[...]] =
                    String(scalar) + (scalar.properties.isEmojiPresentation ? "" : "\u{FE0F}")
            }
        }
        for entry in others.split(whereSeparator: \.isWhitespace) {
            let parts = entry.split(separator: "=")
            for name in parts[0].split(separator: ",") { emoji[name] = String(parts[1]) }
        }
        return emoji
    }()

    private static let others = """
        +1,thumbsup=👍 -1,thumbsdown=👎 100=💯 art=🎨 arrow_up=⬆️ arrow_down=⬇️ arrow_left=⬅️ arrow_right=➡️ arrow_forward=▶️
        arrows_counterclockwise=🔄 x=❌ heart=❤️ white_check_mark=✅ exclamation=❗ bangbang=‼️ question=❓ zap=⚡ boom=💥 poop=💩
        tada=🎉 bulb=💡 pencil=📝 pencil2=✏️ book=📖 computer=💻 email=📧 calendar=📆 date=📅 mega=📣 loudspeaker=📢 moneybag=💰
        apple=🍎 coffee=☕ beer=🍺 beers=🍻 pizza=🍕 birthday=🎂 sunny=☀️ earth_americas=🌎 earth_africa=🌍 earth_asia=🌏 bee=🐝
        car=🚗 bike=🚲 train=🚋 house=🏠 office=🏢 checkered_flag=🏁 loud_sound=🔊 iphone=📱 see_no_evil=🙈 technologist=🧑‍💻
        point_right=👉 point_left=👈 point_up=☝️ point_down=👇 smile=😄 smiley=😃 grin=😁 joy=😂 rofl=🤣 laughing=😆 blush=😊
        heart_eyes=😍 sunglasses=😎 cry=😢 sob=😭 rage=😡 scream=😱 sweat_smile=😅 hugs=🤗 clap=👏 pray=🙏 muscle=💪 wave=👋
        raised_hands=🙌 v=✌️ fist=✊ punch=👊 red_circle=🔴 green_circle=🟢 white_circle=⚪ ok=🆗 one=1️⃣ two=2️⃣ three=3️⃣ four=4️⃣
        five=5️⃣ six=6️⃣ seven=7️⃣ eight=8️⃣ nine=9️⃣ zero=0️⃣ tm=™️ mag=🔍 bricks=🧱 us=🇺🇸 gb=🇬🇧 de=🇩🇪 fr=🇫🇷 es=🇪🇸 it=🇮🇹 jp=🇯🇵
        cn=🇨🇳 kr=🇰🇷 ru=🇷🇺 partying_face=🥳 star_struck=🤩 phone=☎️ rotating_light=🚨 stop_sign=🛑 truck=🚚 gift=🎁 moon=🌔 tv=📺
        notes=🎶 dart=🎯 star=⭐ star2=🌟 information_source=ℹ️ no_entry=⛔ monkey=🐒 dragon=🐉 recycle=♻️ unlock=🔓 wink=😉
        """
}
