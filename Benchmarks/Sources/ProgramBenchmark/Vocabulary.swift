/// Words that posts are made of. None has a quotation mark or a backslash, so that they can stand
/// in JSON as they are.
struct Vocabulary {
  let words: [[UInt8]]
  /// What stands between two words.
  let glue: [UInt8]
  /// Columns of a word with its glue, on average.
  let columns: Int

  private init(_ text: String, glue: String, columns: Int) {
    words = text.split(separator: " ").map { Array($0.utf8) }
    self.glue = Array(glue.utf8)
    self.columns = columns
  }

  static let english = Vocabulary(
    """
    the a of and to in on with from over under again slowly harbour ferry lighthouse morning tide \
    gauge rope weather evening somebody noticed painted repaired counted carried bread coffee gulls \
    window north wind quay lantern bicycle letter yesterday tomorrow already nobody everything \
    unexpectedly approximately neighbourhood reading waiting listening arriving
    """, glue: " ", columns: 7)

  static let japanese = Vocabulary(
    """
    港の 朝は 静かで 、 潮が 引いて いきます 。 灯台の 光が 遠くまで 届いて 漁船は 三隻とも 戻りました \
    ｶﾓﾒが 鳴いて います コーヒーを 飲みながら 手紙を 書く 明日は 雨に なりそうです 自転車で 坂を 下る
    """, glue: "", columns: 8)

  static let chinese = Vocabulary(
    """
    港口 早晨 很 安静 ， 潮水 慢慢 退去 。 灯塔 的 光 照 得 很远 渔船 已经 回来 海鸥 在 叫 我们 喝 \
    咖啡 写 一封 信 明天 可能 下雨 ！ 骑 自行车 下坡
    """, glue: "", columns: 4)

  static let emoji = "🌊 ⚓ 🚢 😀 👍🏽 👩‍🔬 🇯🇵 ☕ 🐈‍⬛ ❤️ ✨ 🌧️".split(separator: " ").map { Array($0.utf8) }
  static let tags = ["#harbour", "#潮位", "#海边", "#photo"].map { Array($0.utf8) }
  static let authors = [
    "Marit Sørlie", "佐藤 海斗", "林 晓", "Tide Bot", "José Núñez", "Olga Ветрова", "김하늘",
    "Ada ⚓", "渡辺 凪", "Bram de Wit", "harbour-master", "周 明",
  ].map { Array($0.utf8) }
}
