/** Scripts by which a text says its language, and how much more a letter says than one of the Latin script. */
const SCRIPTS: readonly { letters: RegExp; tag: string; weight: number }[] = [
  { letters: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, tag: 'zh', weight: 4 },
  { letters: /\p{Script=Hangul}/gu, tag: 'ko', weight: 4 },
  { letters: /\p{Script=Cyrillic}/gu, tag: 'ru', weight: 1 },
  { letters: /\p{Script=Greek}/gu, tag: 'el', weight: 1 },
  { letters: /\p{Script=Hebrew}/gu, tag: 'he', weight: 1 },
  { letters: /\p{Script=Arabic}/gu, tag: 'ar', weight: 1 },
  { letters: /\p{Script=Devanagari}/gu, tag: 'hi', weight: 1 },
  { letters: /\p{Script=Thai}/gu, tag: 'th', weight: 1 },
]
/** Letters that tell another language of the same script. */
const OTHERS: Readonly<Record<string, { letters: RegExp; tag: string }>> = {
  zh: { letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, tag: 'ja' },
  ru: { letters: /[іїєґ]/iu, tag: 'uk' },
  ar: { letters: /[پچژگ]/u, tag: 'fa' },
}
const LATIN = /\p{Script=Latin}/gu

/** Words that are frequent in a language and rare in the others. */
const WORDS: Readonly<Record<string, string>> = {
  en: 'the and of to is you how where why which who whose does did could should would my was an a at for on as in me no i all them they back turn press click your that this with it for then now we are be by from into until before after first next finally take open close press remove put when what here there will can not have has our let wait new old out off come',
  es: 'el los las la lo un uno una unos unas de del al a en que y no se su sus es son está están era hay ha han por para con sin sobre entre hasta desde cuando donde dónde si pero como cómo más muy este esta esto estos estas ese esa cada todo todos toda todas otro otra luego ahora primero después finalmente último aquí abra cierre haga espere nuevo nueva usted qué cuál debe puede dos tres veces mano',
  de: 'der die das und ist den dem ein eine einen sie mit auf zu im für dann nicht wir jetzt zuerst danach zum zur bis aus nun wird sich auch schließlich bei nach haben sind oder wieder alte neue schließen öffnen hier',
  fr: 'le la les un une des de du au aux à en et ou où est sont ont que qui quel quelle dont vous nous on il elle ils elles ne pas dans pour par sur sous avec sans vers entre avant après jusqu votre vos son sa ses ce cet cette ces se si mais puis ensuite maintenant enfin être plus très bien tout tous toute toutes chaque comme comment quand faut peut doit je dois ici ouvrez fermez deux trois fois main',
  pt: 'o a os as um uma uns umas de do da dos das em no na nos nas ao à aos às e ou que é são está estão para por pelo pela com sem sobre entre até desde se não mais muito como quando onde qual depois agora primeiro então isso isto este esta esse essa cada todo todos toda todas outro outra você nós seu sua seus suas aqui abra feche deve pode dois duas três vezes mão',
  it: 'il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dalla dai dalle in nel nello nella nei nelle su sul sulla sui sulle con senza per tra fra e che non si ci è sono ha hanno come quando dove se ma più molto poi adesso ora fino dopo prima infine ogni tutto tutti tutta tutte questo questa questi queste anche aprire chiudere qui deve può bisogna due tre volta volte mano',
  nl: 'de het een en van is dat op te voor met niet zijn dan nu eerst daarna naar uit wij je u deze wordt ook ten slotte tot maar hier nieuwe oude',
  pl: 'i w na z do się nie to jest że po od następnie teraz najpierw potem oraz dla jak są tym aż przez następnym proszę tutaj',
  tr: 've bir bu için ile da de sonra önce şimdi olarak kadar çok var daha ilk olan son burada',
  cs: 'a je se na v do že pak nyní nejprve poté s z od pro jsou jako také tady',
  sv: 'och det att är en som på för med av den till inte sedan nu först här ut vi',
  da: 'og det at er en som på for med af den til ikke derefter nu først her ud vi',
  ro: 'și este în de la cu pe un o care să nu apoi acum mai pentru din sunt aici',
  hu: 'a az és hogy nem egy van meg majd most először ki be itt is ezt',
  fi: 'ja on ei se että sitten nyt ensin mutta kun tämä ovat tai myös',
  id: 'dan yang di ke dari untuk dengan ini itu kemudian sekarang pertama tidak adalah pada',
}
/** Letters that say more than a word; of French also how it instructs, which its small words share with Spanish. */
const LETTERS: Readonly<Record<string, RegExp>> = {
  es: /[ñ¿¡]|(?<!\p{L})ll/iu,
  de: /[äöüß]/i,
  fr: /[êœ]|è\p{L}|\p{L}{3}ez(?!\p{L})|\b(?:[cdjlmnst]|(?:jus)?qu)['’]/iu,
  pt: /[ãõê]/i,
  it: /[ìò]|è(?!\p{L})|(?:\b(?:[cdl]|un)|ll)['’]/iu,
  pl: /[ąęłńśźż]/i,
  tr: /[ğışİ]/,
  cs: /[ěřůč]/i,
  ro: /[țș]/i,
  hu: /[őű]/i,
  sv: /å/i,
  da: /[æøå]/i,
}
const LANGUAGES_OF_WORD = Object.entries(WORDS).reduce((tagsOf, [tag, words]) => {
  for (const word of words.split(' ')) tagsOf.set(word, [...(tagsOf.get(word) ?? []), tag])
  return tagsOf
}, new Map<string, string[]>())

const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys(WORDS),
  ...[...SCRIPTS, ...Object.values(OTHERS)].map(({ tag }) => tag),
])

/** Whether texts in a language are told from those in others. @param tag a primary tag */
export function isKnownLanguage(tag: string): boolean {
  return KNOWN.has(tag)
}

/** What speaks for languages in a text, by primary tag. */
export type LanguageScores = ReadonlyMap<string, number>

/** A script says as much as so many words. */
const SCRIPT_SCORE = 3

/** Counts what speaks for each language in a line: its script, or else its words and letters. */
export function scoreLanguages(line: string): LanguageScores {
  const scores = new Map<string, number>()
  const add = (tag: string, score: number) => scores.set(tag, (scores.get(tag) ?? 0) + score)
  const latinCount = line.match(LATIN)?.length ?? 0
  let [script, most] = ['', latinCount]
  for (const { letters, tag, weight } of SCRIPTS) {
    const count = (line.match(letters)?.length ?? 0) * weight
    if (count > most) [script, most] = [tag, count]
  }
  const other = OTHERS[script]
  if (script !== '') return new Map([[other?.letters.test(line) === true ? other.tag : script, SCRIPT_SCORE]])
  // A word of several languages says less of each.
  for (const word of line.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []) {
    const tags = LANGUAGES_OF_WORD.get(word) ?? []
    for (const tag of tags) add(tag, 1 / tags.length)
  }
  for (const [tag, letters] of Object.entries(LETTERS)) if (letters.test(line)) add(tag, 1)
  return scores
}

/** Adds up what speaks for the languages of several lines. */
export function addScores(all: Iterable<LanguageScores>): LanguageScores {
  const sum = new Map<string, number>()
  for (const scores of all) for (const [tag, score] of scores) sum.set(tag, (sum.get(tag) ?? 0) + score)
  return sum
}

/** By how much more than any other's the scores of a language have to be. */
const CLEAR = 1.5

/** The language that clearly most speaks for; null where none does. */
export function findClearLanguage(scores: LanguageScores): string | null {
  const [best, next] = [...scores].toSorted((a, b) => b[1] - a[1])
  return best !== undefined && best[1] >= CLEAR * (next?.[1] ?? 0) ? best[0] : null
}
