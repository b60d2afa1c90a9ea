/** Closing lines of subtitles in Whisper's training data, which it writes over silence and music. */
const CLOSING_LINES: Record<string, readonly string[]> = {
  en: [
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
    "don't forget to like and subscribe",
    'see you next time',
    'see you in the next video',
    "I'll see you in the next video",
    'the end',
    'bye',
  ],
  hi: [
    'धन्यवाद',
    'आपका धन्यवाद',
    'बहुत बहुत धन्यवाद',
    'शुक्रिया',
    'देखने के लिए धन्यवाद',
    'वीडियो देखने के लिए धन्यवाद',
    'सब्सक्राइब करें',
    'चैनल को सब्सक्राइब करें',
    'लाइक और सब्सक्राइब करें',
  ],
  de: [
    'danke',
    'danke schön',
    'vielen dank',
    'danke fürs Zuschauen',
    'vielen Dank fürs Zuschauen',
    'vielen Dank für die Aufmerksamkeit',
    'bis zum nächsten Mal',
    'tschüss',
  ],
  es: [
    'gracias',
    'muchas gracias',
    'gracias por ver',
    'gracias por ver el video',
    'gracias por ver el vídeo',
    'suscríbete',
    'suscríbete al canal',
    'hasta la próxima',
  ],
  fr: [
    'merci',
    'merci beaucoup',
    "merci d'avoir regardé",
    "merci d'avoir regardé cette vidéo",
    'abonnez-vous',
    'à bientôt',
    'au revoir',
  ],
  pt: [
    'obrigado',
    'obrigada',
    'muito obrigado',
    'obrigado por assistir',
    'obrigado por assistir ao vídeo',
    'inscreva-se no canal',
    'até a próxima',
    'tchau',
  ],
  pl: [
    'dziękuję',
    'dziękuję bardzo',
    'dziękuję za uwagę',
    'dzięki za uwagę',
    'dziękuję za oglądanie',
    'dzięki za oglądanie',
    'dziękuję za obejrzenie',
    'zapraszam do subskrypcji',
    'do zobaczenia',
  ],
  tr: [
    'teşekkürler',
    'teşekkür ederim',
    'teşekkür ederiz',
    'izlediğiniz için teşekkürler',
    'izlediğiniz için teşekkür ederim',
    'izlediğiniz için teşekkür ederiz',
    'abone olmayı unutmayın',
    'beğenmeyi ve abone olmayı unutmayın',
    'bir sonraki videoda görüşmek üzere',
    'hoşça kalın',
  ],
  ar: [
    'شكرا',
    'شكرا لكم',
    'شكرا جزيلا',
    'شكرا للمشاهدة',
    'شكرا على المشاهدة',
    'شكرا لكم على المشاهدة',
    'شكرا لمتابعتكم',
    'اشترك في القناة',
    'اشتركوا في القناة',
    'لا تنسوا الاشتراك في القناة',
    'إلى اللقاء',
  ],
  zh: [
    '谢谢',
    '谢谢大家',
    '谢谢观看',
    '感谢观看',
    '謝謝',
    '謝謝大家',
    '謝謝觀看',
    '感謝觀看',
    '下期再见',
    '请不吝点赞订阅转发打赏支持明镜与点点栏目',
    '請不吝點贊訂閱轉發打賞支持明鏡與點點欄目',
  ],
  it: ['grazie', 'grazie per la visione', 'grazie per aver guardato il video'],
  ru: ['спасибо', 'спасибо за просмотр', 'спасибо за внимание', 'продолжение следует'],
  ja: ['ご視聴ありがとうございました', 'ありがとうございました'],
  ko: ['시청해주셔서 감사합니다'],
}

/** How a line begins that names who made the subtitles, and who that is said to be. */
const CREDIT_BEGINS =
  /^[^\p{L}\p{N}]*(?:(?:subtitles|captions|captioned|transcribed|transcription|translated)(?: (?:made|provided|edited))? by|untertitel(?:ung)?|sous-titr(?:es|age)|subt[ií]tulos|legendas|sottotitoli|napisy|altyaz[ıi]|ondertitel(?:s|ing)|субтитры|редактор субтитров|(?:ال)?ترجمة|सबटाइटल|उपशीर्षक|(?:中文|由 ?amara.*)?字幕)/iu
const CREDIT_NAMES =
  /(?<!\p{L})(?:amara\.?org|castingwords|otter\.ai|zdf|swr|wdr|srf|funk|radio-canada|dimatorzok|семкин|tv gelderland|m\. ?k|نانسي قنقر)(?!\p{L})|amara\.org|志愿者|志願者/iu

/**
 * Text as it is compared: without case, blanks and punctuation, since some scripts are split at every character. Signs that
 * belong to a script, such as the vowels of Hindi, are part of its words; those that may be left out are not, such as the
 * vowels of Arabic. The two letters i of Turkish are one, because their capitals become the other one in lower case.
 */
export function bareText(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+|\p{Script=Inherited}+/gu, '')
    .replaceAll('ı', 'i')
}

const ONLY_CLOSING_LINES = new RegExp(`^(?:${Object.values(CLOSING_LINES).flat().map(bareText).join('|')})+$`, 'u')

/** Whether a text is a line that ends a video, or several of them, and nothing else. */
export function isClosingLine(text: string): boolean {
  return ONLY_CLOSING_LINES.test(bareText(text))
}

/** Whether a text names who made the subtitles, which no narration does. */
export function isCredit(text: string): boolean {
  return CREDIT_BEGINS.test(text) && CREDIT_NAMES.test(text)
}
