/** What Whisper writes over silence and music: the closing lines of the subtitles that it learned from. */
const CLOSING_LINES = [
  'you',
  'thanks',
  'thank you',
  'thank you so much',
  'thank you very much',
  'thanks for watching',
  'thank you for watching',
  'thank you so much for watching',
  'thank you for watching this video',
  'thank you for your attention',
  'please subscribe',
  'please subscribe to my channel',
  'please like and subscribe',
  'like and subscribe',
  'dont forget to like and subscribe',
  'see you next time',
  'see you in the next video',
  'ill see you in the next video',
  'the end',
  'bye',
  'vielen dank',
  'vielen dank fürs zuschauen',
  'bis zum nächsten mal',
  'merci',
  'merci davoir regardé cette vidéo',
  'gracias',
  'gracias por ver el video',
  'obrigado',
  'obrigado por assistir',
  'grazie per la visione',
  'dziękuję za oglądanie',
  'продолжение следует',
  'спасибо за просмотр',
  'ご視聴ありがとうございました',
  'ありがとうございました',
  '시청해주셔서 감사합니다',
  '谢谢观看',
  '謝謝觀看',
  '请不吝点赞订阅转发打赏支持明镜与点点栏目',
]

/** How a line begins that names who made the subtitles, and who that is said to be. */
const CREDIT_BEGINS =
  /^\W*(?:(?:subtitles|captions|captioned|transcribed|transcription|translated)(?: (?:made|provided|edited))? by|untertitel(?:ung)?|sous-titr(?:es|age)|subt[ií]tulos|legendas|sottotitoli|napisy|ondertitel(?:s|ing)|субтитры|редактор субтитров|字幕)/iu
const CREDIT_NAMES =
  /(?<!\p{L})(?:amara\.?org|castingwords|otter\.ai|zdf|swr|wdr|srf|funk|radio-canada|dimatorzok|семкин|tv gelderland)(?!\p{L})|amara\.org/iu

/** Text as it is compared: without case, blanks and punctuation, since some scripts are split at every character. */
function bareText(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

const ONLY_CLOSING_LINES = new RegExp(`^(?:${CLOSING_LINES.map(bareText).join('|')})+$`, 'u')

/** Whether a text is a line that ends a video, or several of them, and nothing else. */
export function isClosingLine(text: string): boolean {
  return ONLY_CLOSING_LINES.test(bareText(text))
}

/** Whether a text names who made the subtitles, which no narration does. */
export function isCredit(text: string): boolean {
  return CREDIT_BEGINS.test(text) && CREDIT_NAMES.test(text)
}

/** Over silence a recogniser reads out the hint that it was given; a word or two of it may well have been said. */
const ECHO_MIN_SHARE = 0.5

/** Whether a text is nothing but a good piece of the hint. */
export function isEcho(text: string, prompt: string): boolean {
  const [said, hint] = [bareText(text), bareText(prompt)]
  return said !== '' && said.length >= hint.length * ECHO_MIN_SHARE && hint.includes(said)
}
