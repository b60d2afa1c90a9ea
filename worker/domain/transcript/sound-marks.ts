import { SEGMENT_MAX_CHARS } from '#contract/limits.ts'

/** Sounds by themselves, and what people do without words: stems, in the languages of the app and its neighbours. */
const SOUND = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:musi(?:c|k|que|ca)\p{L}*|música\p{L}*|muzyka|muzycz\p{L}*|müzi[kğ]\p{L}*|muziek|музык\p{L}*|موسيقى|संगीत|` +
    String.raw`applau\p{L}*|aplau\p{L}*|applaus\p{L}*|brawa|oklaski|alkış\p{L}*|beifall|klatsch\p{L}*|аплодисмент\p{L}*|تصفيق|तालियां|तालियाँ|` +
    String.raw`laugh\p{L}*|chuckl\p{L}*|giggl\p{L}*|lach\p{L}*|gelächter|risas?|ríe\p{L}*|rit?s|rires?|rit|risos?|śmie\p{L}*|gülm\p{L}*|gülüş\p{L}*|gülü\p{L}*|смех|смеё\p{L}*|ضحك|हंसी|हँसी|` +
    String.raw`sigh\p{L}*|seufz\p{L}*|suspir\p{L}*|soupir\p{L}*|westchn\p{L}*|cough\p{L}*|husten|hustet|tose?|toux|tousse|kaszl\p{L}*|öksür\p{L}*|sneez\p{L}*|niest|sniff\p{L}*|gasp\p{L}*|groan\p{L}*|moan\p{L}*|sob\p{L}{0,4}|scream\p{L}*|shout\p{L}*|whisper\p{L}*|mumbl\p{L}*|yawn\p{L}*|räusper\p{L}*|clears? throat|breath\p{L}*|inhal\p{L}*|exhal\p{L}*|panting|` +
    String.raw`noises?|sounds?|geräusch\p{L}*|lärm|rauschen|ruidos?|sonidos?|bruits?|barulhos?|som|szum|hałas|dźwięk\p{L}*|ses(?:i|ler)?|gürültü\p{L}*|шум|звук\p{L}*|ضوضاء|صوت|शोर|आवाज़|` +
    String.raw`beep\p{L}*|piep\p{L}*|buzz\p{L}*|hum(?:s|ming)?|summ(?:en|t)|whirr?\p{L}*|surr(?:en|t)|click(?:s|ing)|klick(?:en|t)|rattl\p{L}*|klapper\p{L}*|knock\p{L}*|klopf\p{L}*|hammering|drilling|bang(?:s|ing)?|thud\p{L}*|clank\p{L}*|clatter\p{L}*|squeak\p{L}*|squeal\p{L}*|creak\p{L}*|hiss(?:es|ing)?|zisch\p{L}*|crash\p{L}*|chim(?:e|es|ing)|ring(?:s|ing)|klingel\p{L}*|sizzl\p{L}*|bark(?:s|ing)|chirp\p{L}*|chatter\p{L}*|cheer(?:s|ing)|murmur\p{L}*|whistl\p{L}*|footsteps|static|rumbl\p{L}*|roar(?:s|ing)?|beat(?:s|ing) drum|jingle|fanfare|theme song|` +
    String.raw`inaudible|unintelligible|indistinct|unverständlich|inaudível|ininteligible|inaudibles?|niezrozumiałe|anlaşılmıyor|silence|silencio|stille|cisza|sessizlik|crosstalk|off[- ]?screen)(?![\p{L}\p{N}])`,
  'iu',
)
/** The same in scripts that write words without blanks between them. */
const WIDE_SOUND =
  /音楽|音乐|音樂|掌声|掌聲|笑|拍手|咳|叹气|噪音|騒音|歓声|鼓掌|水流|水声|水声|음악|웃음|박수|BGM|[声音聲]$|音$|เพลง|ดนตรี|เสียง|ปรบมือ|หัวเราะ/u
/** Things that make a sound when something happens to them. */
const THING =
  /(?<![\p{L}\p{N}])(?:water|engine|motor|machine|door|phone|telephone|bell|fan|pump|drill|saw|alarm|tap|faucet|steam|wind|rain|thunder|dog|bird|baby|crowd|car|truck|keyboard|paper|glass|metal|wasser|maschine|tür|telefon|glocke|pumpe|bohrer|säge|dampf|hund|agua|puerta|teléfono|máquina|eau|porte|machine|moteur|água|porta|telefone|woda|drzwi|silnik|maszyna|su|kapı|makine|вода|дверь|двигатель|ماء|الماء|पानी)(?![\p{L}\p{N}])/iu
/** What happens to them. */
const HAPPENS =
  /(?<![\p{L}\p{N}])(?:\p{L}{3,}ing|runs?|starts?|stops?|opens?|closes?|slams?|rings?|drips?|boils?|flows?|pours?|rustles?|cries|läuft|startet|stoppt|öffnet|schließt|klingelt|tropft|kocht|fließt|plätschert|quietscht|corre|suena|se abre|se cierra|arranca|gotea|coule|claque|sonne|grince|s['’]ouvre|se ferme|démarre|toca|abre|fecha|liga|płynie|leci|otwierają|akar|akıyor|açılıyor|çalışıyor|çalıyor|течёт|течет|льётся|открывается|يجري|बह)(?![\p{L}\p{N}])/iu
/** Says more than what is heard: a sentence, a number, a reference, a condition. */
const SAYS =
  /[\d.!?;:=/\\+]|(?<![\p{L}\p{N}])(?:see|not|no|if|when|or|optional\p{L}*|e\.?g|i\.?e|you|your|please|note|must|should|never|siehe|nicht|wenn|oder|bitte|ver|véase|no|si|o|voir|ou|zobacz|nie|bak|sie|ihr)(?![\p{L}\p{N}])/iu
/** What a sound is said of: a setting, a part, a value. */
const NAMED_AFTER =
  /(?<![\p{L}\p{N}])(?:settings?|options?|cards?|files?|levels?|gates?|depth|speeds?|address|IPs?|models?|reports?|masks?|tests?|videos?|apps?|buttons?|menus?|tabs?|modes?|players?|library|terminals?|stations?|tools?|filters?|detectors?)(?![\p{L}\p{N}])/iu
/** Names of functions: mute, record, voice, pronunciation. */
const WIDE_FUNCTION = /[静靜消录錄録语語拼发發発配][音声聲]/u
/** More words are a text. */
const WORDS_MAX = 6

/** A text in brackets, stars or between notes at an end of a line. */
const BRACKETED = String.raw`\[[^[\]]{1,80}\]|\([^()]{1,80}\)|（[^（）]{1,80}）|【[^【】]{1,80}】|［[^［］]{1,80}］|\{[^{}]{1,80}\}|\*[^*]{1,60}\*`
/** Begins at the first of several notes, and has something between two of them, so that a run of notes is read once. */
const NOTES = String.raw`(?<![♪♫♬♩🎵🎶])[♪♫♬♩🎵🎶]+[^♪♫♬♩🎵🎶]{1,400}[♪♫♬♩🎵🎶]+`
const AT_BEGIN = new RegExp(String.raw`^(?:${BRACKETED}|${NOTES})\s*`, 'u')
const AT_END = new RegExp(String.raw`\s?(?:${BRACKETED}|${NOTES})$`, 'u')
const WHOLE = new RegExp(String.raw`^[-–—>]{0,3}\s?(?:${BRACKETED})[.\s]{0,3}$`, 'u')
const NOTE_SIGN = /[♪♫♬♩🎵🎶]/u
/** Words of a song go on in the next cue, so that a note at their end may be missing. */
const SUNG = /^[♪♫♬♩🎵🎶]/u
const LAST_NOTES = /\s?[♪♫♬♩🎵🎶]{1,9}$/u
/** What recognisers and captions of machines say in the place of a sound, without brackets. */
const BARE = /^(?:music(?: playing)?|background music|applause|laughter)\.?$/i
const HAS_MARK = /[[({（【［*♪♫♬♩🎵🎶]/u
/** No line of a transcript is longer. */
const CHARS_MAX = SEGMENT_MAX_CHARS

/** Whether what stands in brackets is heard and not said. @param isWhole whether the line says nothing else */
function isSound(marked: string, isWhole: boolean): boolean {
  if (NOTE_SIGN.test(marked)) return true
  const inner = marked.replace(/^[-–—>\s]*[[({（【［*]\s*|[\s.!…]*[\])}）】］*][.\s]*$/gu, '')
  if (inner.split(/\s+/).length > WORDS_MAX || SAYS.test(inner)) return false
  if (NAMED_AFTER.test(inner) || WIDE_FUNCTION.test(inner)) return false
  if (SOUND.test(inner) || WIDE_SOUND.test(inner)) return true
  return (isWhole || /^\p{Ll}/u.test(inner)) && THING.test(inner) && HAPPENS.test(inner)
}

const SMALL = /^\s?[[({*（【［]\s?\p{Ll}/u
const ROUND = /^\s?[(（]/u
/**
 * A name of a button may be that of a sound, so a mark stands between sentences, or is written small; in scripts without
 * capitals, where many end a sentence without a point, buttons stand in square brackets.
 */
function isApart(found: string, before: string, after: string): boolean {
  if (NOTE_SIGN.test(found) || SMALL.test(found)) return true
  if (before === '') return !/^\s*\p{Ll}/u.test(after)
  return /\p{P}\s*$/u.test(before) || (ROUND.test(found) && /\p{Lo}\s*$/u.test(before))
}

/**
 * Leaves out what is heard and not said at the ends of a line: `[music]`, `(water runs)`, `♪ … ♪`. What stands in brackets
 * inside of a sentence, a key such as `[Enter]` and a reference such as `(see page 3)` are text.
 */
export function removeSoundMarks(text: string): string {
  if (BARE.test(text)) return ''
  if (text.length > CHARS_MAX || !HAS_MARK.test(text)) return text
  if (WHOLE.test(text) && isSound(text, true)) return ''
  let spoken = text
  for (let found = AT_BEGIN.exec(spoken)?.[0]; found !== undefined; found = AT_BEGIN.exec(spoken)?.[0]) {
    const after = spoken.slice(found.length)
    if (!isSound(found, false) || !isApart(found, '', after)) break
    spoken = after
  }
  if (SUNG.test(spoken)) return ''
  for (let found = AT_END.exec(spoken); found !== null; found = AT_END.exec(spoken)) {
    const before = spoken.slice(0, found.index)
    if (!isSound(found[0], false) || !isApart(found[0], before, '')) break
    spoken = before
  }
  return spoken.replace(LAST_NOTES, '').trim()
}

/** Whether a line of captions says nothing, and names what is heard. */
export function isSoundMark(text: string): boolean {
  return removeSoundMarks(text) === ''
}

/** What is said in lines: without marks of sounds, and without lines that have nothing else. */
export function keepSpoken<T extends { text: string }>(lines: readonly T[]): T[] {
  return lines.flatMap((line) => {
    const text = removeSoundMarks(line.text)
    if (text === line.text) return [line]
    return text === '' ? [] : [{ ...line, text }]
  })
}
