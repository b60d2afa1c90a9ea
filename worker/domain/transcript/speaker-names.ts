import { SPEAKER_MAX_CHARS } from '#contract/transcript.ts'
import { trimEndOf } from '#worker/domain/trim-end.ts'

/** Around a name that a file marks as that of a speaker; no text has these characters. */
const MARKS = { open: '\u{fdd0}', close: '\u{fdd1}' } as const
/** All of them, to be removed from what is read. */
export const VOICE_MARKS = /[\u{fdd0}\u{fdd1}]/gu
const MARKED_NAME = /\u{fdd0}([^\u{fdd0}\u{fdd1}]*)\u{fdd1}/gu

/** Marks where the words of a speaker begin. @param name empty for one who is not named */
export function markVoice(name: string): string {
  return `${MARKS.open}${name}${MARKS.close}`
}

/** Cuts a line behind the mark in front of it; the first part is empty where it has none. */
export function splitLeadingVoice(line: string): [mark: string, rest: string] {
  const end = line.startsWith(MARKS.open) ? line.indexOf(MARKS.close) + 1 : 0
  return [line.slice(0, end), line.slice(end)]
}

/** What one speaker says in a row. */
export interface Said {
  /** Left out where it is not known. */
  speaker?: string
  /** Whether somebody else is known to have spoken before. */
  isTurn: boolean
  text: string
}

/** Cuts a text where another speaker begins. */
export function splitVoices(text: string): Said[] {
  const [first = '', ...rest] = text.split(MARKED_NAME)
  const said: Said[] = [{ isTurn: false, text: first.trim() }]
  for (let at = 0; at < rest.length; at += 2) {
    const speaker = shorten(rest[at] ?? '')
    said.push({ ...(speaker !== '' && { speaker }), isTurn: true, text: (rest[at + 1] ?? '').trim() })
  }
  return said
}

function shorten(name: string): string {
  const plain = name.replace(/\s+/g, ' ').trim()
  if (!/[\p{L}\p{N}]/u.test(plain)) return ''
  // Half of a character of two units is none.
  return plain
    .slice(0, SPEAKER_MAX_CHARS)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
}

const UPPER_WORD = String.raw`(?:\p{Lu}[\p{L}\p{M}\p{N}.'’_-]*|\p{Lo}[\p{L}\p{M}\p{N}·・]*|\d{1,3})`
/** Particles in names of people. */
const PARTICLE = '(?:de|del|della|der|den|di|da|do|dos|du|la|le|van|von|zu|bin|al|el|y|e)'
/** One to four words that begin with a capital, or of a script that has none, in front of a colon. */
const LABEL = new RegExp(
  String.raw`^(?<turn>(?:>{1,3}|[-–—])\s*)?(?<name>(?!\d)${UPPER_WORD}(?:\s(?:${PARTICLE}\s){0,2}${UPPER_WORD}){0,3}(?:\s\([^()]{1,20}\))?)(?:\s?:\s+|：\s*)(?=\S)`,
  'u',
)
/** Behind `>>` a name may be written in any way. */
const TURN_LABEL = /^(?<turn>>{2,3}\s*)(?<name>\p{L}[^:：<>]{0,39})(?::\s+|：\s*)(?=\S)/u
const NAME_WORDS_MAX = 5
/** A change of speakers without a name. */
const TURN = /^>{2,3}\s*(?=\S)/
const DASH = /^[-–—‐]\s*(?=[\p{L}\p{N}"'“¿¡])/u

/** First words of what stands in front of a colon and is no name, in the languages of the app and its neighbours. */
const NO_NAMES = new Set(
  `note notes notice nb n.b ps p.s tip tips hint warning caution danger attention important remember reminder step steps stage phase part
  section chapter lesson module task exercise example question answer result results summary conclusion introduction intro overview
  option options menu file edit view tools settings key keys password username user name title date time version size price total
  email e-mail address phone web website url link http https source sources input output subject topic goal goals aim objective
  requirement requirements material materials tool ingredients safety info information error fact rule rules problem solution
  first second third next then finally last before after also so and but or now remember update figure fig table page see
  temperature speed torque pressure voltage power weight length width height depth default path command status mode type color colour
  subtitles captions translation translated transcript transcription credits music lyrics
  hinweis hinweise achtung warnung vorsicht gefahr tipp tipps wichtig merke beispiel schritt schritte teil kapitel lektion aufgabe
  frage antwort ergebnis fazit zusammenfassung datei bearbeiten ansicht einstellungen passwort titel datum zeit quelle ziel ziele
  werkzeug thema anmerkung bemerkung zutaten sicherheit fehler regel lösung erstens zweitens drittens zuerst danach untertitel musik
  nota notas aviso advertencia precaución cuidado peligro atención consejo importante ejemplo paso pasos parte capítulo lección tarea
  pregunta respuesta resultado resumen conclusión archivo opciones contraseña título fecha hora fuente objetivo tema herramientas primero
  segundo tercero después subtítulos música
  remarque attention avertissement danger prudence conseil astuce exemple étape étapes partie chapitre leçon tâche question réponse
  résultat résumé fichier édition affichage outils mot titre heure but matériel sécurité erreur règle premièrement ensuite sous-titres musique
  observação observações atenção perigo dica dicas exemplo passo passos capítulo lição tarefa pergunta resposta ficheiro arquivo senha
  data fonte tema ferramentas primeiro depois legendas
  uwaga uwagi ostrzeżenie niebezpieczeństwo wskazówka porada ważne przykład krok kroki część rozdział lekcja zadanie pytanie odpowiedź
  wynik podsumowanie plik edycja widok hasło tytuł data godzina źródło cel temat narzędzia najpierw napisy muzyka
  not dikkat uyarı tehlike ipucu önemli örnek adım adımlar bölüm ders görev soru cevap yanıt sonuç özet dosya parola şifre başlık
  tarih saat kaynak amaç konu araçlar önce sonra altyazı müzik
  nb avvertenza avviso pericolo suggerimento esempio passo fase passaggio domanda risposta let op waarschuwing gevaar stap voorbeeld vraag antwoord
  ملاحظة ملاحظات تنبيه تحذير خطر نصيحة مهم مثال الخطوة خطوة جزء فصل درس سؤال جواب الجواب السؤال النتيجة ملخص ملف أولا ثانيا ثالثا
  नोट ध्यान चेतावनी सावधान सावधानी खतरा सुझाव टिप महत्वपूर्ण उदाहरण चरण कदम भाग अध्याय पाठ प्रश्न उत्तर सवाल जवाब परिणाम सारांश फ़ाइल
  注意 提示 警告 小心 危险 重要 备注 说明 例如 例子 步骤 第一步 第二步 第三步 部分 章节 问题 答案 结果 总结 文件 首先 其次 最后 目标 主题 工具 材料
  例 手順 ヒント 危険 質問 回答 結果 まとめ 참고 주의 경고 팁 예 단계
  примечание внимание предупреждение осторожно опасность совет важно пример шаг этап часть глава урок задача вопрос ответ результат итог файл`
    .split(/\s+/)
    .map((word) => word.toLowerCase()),
)
/** Those that people are called by as well, so that they say nothing at the end of a name. */
const SURNAMES = new Set('example page price key power weight part tools section ziel fonte'.split(' '))
/** Who speaks, where a person has no name. */
const ROLES =
  /^(?:narrator|speaker|host|presenter|moderator|interviewer|interviewee|trainer|instructor|teacher|trainee|student|operator|announcer|voice(?:[- ]?over)?|man|woman|both|all|audience|sprecher(?:in)?|erzähler(?:in)?|moderator(?:in)?|ausbilder(?:in)?|trainer(?:in)?|mann|frau|stimme|narrador[a]?|locutor[a]?|presentador[a]?|instructor[a]?|hombre|mujer|orador[a]?|narrat(?:eur|rice)|présentat(?:eur|rice)|format(?:eur|rice)|homme|femme|voix|apresentador[a]?|instrutor[a]?|homem|mulher|voz|narrator(?:ka)?|lektor(?:ka)?|instruktor(?:ka)?|mówca|anlatıcı|sunucu|eğitmen|konuşmacı|المتحدث|الراوي|المذيع|المدرب|वक्ता|सूत्रधार|प्रशिक्षक|旁白|主持人|讲师|ナレーター|диктор|ведущий)(?:[\s_]\d{1,3})?(?:\s\(.*\))?$/iu
/** What stands behind it is a value, or an address. */
const VALUE = /^(?:[\d.,]+\s?\S{0,4}$|\/\/|\d)/

/** How often a label must stand in a file to be that of a speaker. */
const TIMES_MIN = 2
/** So many times a full name is none by chance, however few of the cues have one. */
const FULL_TIMES_MIN = 3
const FULL_SHARE_MIN = 0.1
/** Single words say less: so many of the cues have one. */
const SHARE_MIN = 0.5
const NEARLY_ALL = 0.8
/** Of the cues; where fewer name a speaker, a label that stands once is taken for text. */
const ONCE_SHARE_MIN = 0.25

/** Shorter words in capitals are abbreviations. */
const LOUD_MIN_CHARS = 4

interface Label {
  name: string
  hasTurn: boolean
  length: number
  /** Whether the text goes on with a small letter, as behind a heading: who speaks begins a sentence. */
  goesOnSmall: boolean
}

/** How often a label stands in a file. */
interface LabelCount {
  all: number
  goesOnSmall: number
}

function readLabel(line: string): Label | null {
  // A longer one is no name; a text without a colon has none.
  const head = line.slice(0, SPEAKER_MAX_CHARS + 8)
  if (!/[:：]/.test(head)) return null
  const start = line.slice(0, SPEAKER_MAX_CHARS + 80)
  const match = LABEL.exec(start) ?? TURN_LABEL.exec(start)
  const name = match?.groups?.['name']
  if (match === null || name === undefined || name.length > SPEAKER_MAX_CHARS) return null
  const words = name.toLowerCase().split(/[\s_]/)
  if (NO_NAMES.has(trimEndOf(words[0] ?? '', /[.\d]/)) || NO_NAMES.has(name.toLowerCase())) return null
  const last = words.at(-1) ?? ''
  if (NO_NAMES.has(last) && !SURNAMES.has(last)) return null
  const hasTurn = (match.groups?.['turn'] ?? '').startsWith('>')
  if (words.length > NAME_WORDS_MAX || (!hasTurn && VALUE.test(line.slice(match[0].length)))) return null
  const goesOnSmall = /^\p{Ll}/u.test(line.slice(match[0].length))
  return { name, hasTurn, length: match[0].length, goesOnSmall }
}

/** Written with capitals; in scripts that have none, any words in front of a colon look like it. */
const isFullName = (name: string) => name.includes(' ') && /\p{Lu}/u.test(name)
const isHeading = ({ all, goesOnSmall }: LabelCount) => goesOnSmall * 2 > all

const isInCapitals = (text: string) => text === text.toUpperCase() && text !== text.toLowerCase()

/**
 * Finds the names that stand in front of what their owners say, by looking at a whole file: a label is a name where it
 * comes again, where others of its kind do, and for the ways in which captions always write one. In doubt it is text, for
 * a name is left out of steps and a text must not be.
 */
export class SpeakerNames {
  readonly #names = new Set<string>()

  /**
   * @param cues the lines of each
   * @param hasSounds whether the file names what is to be heard, as captions for the deaf do
   */
  constructor(cues: readonly (readonly string[])[], hasSounds: boolean) {
    const counts = new Map<string, LabelCount>()
    const lines = cues.flat()
    for (const line of lines) {
      const label = readLabel(line)
      if (label === null) continue
      const count = counts.get(label.name) ?? { all: 0, goesOnSmall: 0 }
      count.all += 1
      count.goesOnSmall += Number(label.goesOnSmall)
      counts.set(label.name, count)
      if (label.hasTurn) this.#names.add(label.name)
    }
    for (const [name, count] of counts)
      if (ROLES.test(name) && (/\d/.test(name) || !isHeading(count))) this.#names.add(name)
    const share = [...counts.values()].reduce((sum, { all }) => sum + all, 0) / cues.length
    this.#addRepeated(counts, share)
    const isShouted = lines.filter(isInCapitals).length > lines.length / 2
    if (!isShouted && (hasSounds || [...this.#names].some(isInCapitals))) this.#addLoud(counts, share)
    if (share >= ONCE_SHARE_MIN && [...this.#names].some(isFullName)) this.#addFull(counts)
  }

  #addRepeated(counts: ReadonlyMap<string, LabelCount>, share: number): void {
    const repeated = [...counts].filter(([, { all }]) => all >= TIMES_MIN)
    for (const [name, count] of repeated) {
      const isOften = count.all >= FULL_TIMES_MIN || share >= FULL_SHARE_MIN
      const isName = isFullName(name)
        ? isOften && (share >= NEARLY_ALL || !isHeading(count))
        : share >= SHARE_MIN && !isHeading(count)
      if (isName) this.#names.add(name)
    }
    // Where nearly every cue has one, each is a name: the one between two others as well.
    if (repeated.some(([name]) => this.#names.has(name)) && share >= NEARLY_ALL)
      for (const name of counts.keys()) this.#names.add(name)
  }

  /** Captions for the deaf write names in capitals. */
  #addLoud(counts: ReadonlyMap<string, LabelCount>, share: number): void {
    for (const [name, count] of counts) {
      const isOften = count.all >= TIMES_MIN || share >= ONCE_SHARE_MIN
      if (isOften && isInCapitals(name) && name.length >= LOUD_MIN_CHARS && !isHeading(count)) this.#names.add(name)
    }
  }

  /** Those who say little beside those who say more. */
  #addFull(counts: ReadonlyMap<string, LabelCount>): void {
    for (const [name, count] of counts) if (isFullName(name) && !isHeading(count)) this.#names.add(name)
  }

  /** Writes marks in the place of names in front of the lines of a cue, and of dashes where speakers change. */
  markLines(lines: readonly string[]): string[] {
    const hasDialogue = lines.filter((line) => DASH.test(line)).length > 1
    return lines.map((line) => {
      const label = readLabel(line)
      if (label !== null && this.#names.has(label.name)) return markVoice(label.name) + line.slice(label.length)
      const turn = TURN.exec(line) ?? (hasDialogue ? DASH.exec(line) : null)
      return turn === null ? line : markVoice('') + line.slice(turn[0].length)
    })
  }
}
