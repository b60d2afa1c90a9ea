import { describe, expect, it } from 'vitest'
import { isClosingLine, isCredit } from './closing-lines.ts'
import { normaliseWhisper } from './normalise-whisper.ts'

const CHUNK_MS = 30_000
const SHORT_MS = 3_000
const SILENCE = { no_speech_prob: 0.9 }
const SPEECH = { no_speech_prob: 0.05 }

/** Lines that Whisper writes over silence, by the languages of the page. */
const LINES: [language: string, thanks: string, closing: string, credit: string][] = [
  ['en', 'Thank you.', 'Thanks for watching!', 'Subtitles by the Amara.org community'],
  ['hi', 'धन्यवाद।', 'वीडियो देखने के लिए धन्यवाद!', 'सबटाइटल Amara.org समुदाय द्वारा'],
  ['de', 'Vielen Dank.', 'Vielen Dank fürs Zuschauen!', 'Untertitel der Amara.org-Community'],
  ['es', '¡Gracias!', '¡Gracias por ver el vídeo!', 'Subtítulos realizados por la comunidad de Amara.org'],
  ['fr', 'Merci.', "Merci d'avoir regardé cette vidéo !", "Sous-titres réalisés par la communauté d'Amara.org"],
  ['pt', 'Obrigado.', 'Obrigado por assistir!', 'Legendas pela comunidade Amara.org'],
  ['pl', 'Dziękuję.', 'Dziękuję za uwagę.', 'Napisy stworzone przez społeczność Amara.org'],
  ['tr', 'Teşekkürler.', 'İzlediğiniz için teşekkür ederim.', 'Altyazı M.K.'],
  ['ar', 'شكراً لكم', 'اشتركوا في القناة', 'ترجمة نانسي قنقر'],
  ['zh', '谢谢大家', '请不吝点赞 订阅 转发 打赏支持明镜与点点栏目', '字幕由Amara.org社区提供'],
]

/** What is left of a text that is alone in its chunk, and of one between two sentences. */
function textAlone(text: string, durationMs: number): string {
  return normaliseWhisper({ text }, durationMs)
    .words.map((word) => word.text)
    .join(' ')
}

function isKeptBeside(text: string, signs: Record<string, number>): boolean {
  const segments = [
    { start: 0, end: 3, text: 'Open the menu.', ...SPEECH },
    { start: 5, end: 8, text, ...signs },
    { start: 10, end: 13, text: 'Click Save.', ...SPEECH },
  ]
  const { words } = normaliseWhisper({ text: '', segments }, CHUNK_MS)
  return words.length > 'Open the menu. Click Save.'.split(' ').length
}

describe.each(LINES)('over silence in %s', (_language, thanks, closing, credit) => {
  it.each([[thanks], [closing], [`${thanks} ${closing}`]])('takes "%s" for invented where the marks agree', (text) => {
    expect(textAlone(text, CHUNK_MS)).toBe('')
    expect(textAlone(text, SHORT_MS)).not.toBe('')
    expect(isKeptBeside(text, SILENCE)).toBe(false)
    expect(isKeptBeside(text, SPEECH)).toBe(true)
  })

  it(`takes "${credit}" for invented wherever it stands`, () => {
    expect(textAlone(credit, SHORT_MS)).toBe('')
    expect(isKeptBeside(credit, SPEECH)).toBe(false)
  })
})

describe('isClosingLine', () => {
  it.each([
    ['İzlediğiniz için teşekkür ederim.'],
    ['izlediğiniz için teşekkür ederim'],
    ['İZLEDİĞİNİZ İÇİN TEŞEKKÜR EDERİM'],
    ['I\u0307zlediğiniz için teşekkür ederim'],
    ['ABONE OLMAYI UNUTMAYIN'],
    ['Dziękuję za uwagę'.normalize('NFD')],
    ['شكرًا على المشاهدة'],
    ['شكرا على المشاهدة'],
  ])('knows "%s" in each spelling', (text) => {
    expect(isClosingLine(text)).toBe(true)
  })

  it.each([['धन्यवाद और देखें'], ['धन्या वेद'], ['Teşekkürler, şimdi menüyü açın.'], ['谢谢观看这个菜单']])(
    'leaves "%s"',
    (text) => {
      expect(isClosingLine(text)).toBe(false)
    },
  )
})

describe('isCredit', () => {
  it.each([
    ['ALTYAZI M.K.'],
    ['- Altyazı M. K. -'],
    ['由 Amara.org 社群提供的字幕'],
    ['中文字幕志愿者 李宗盛'],
    ['Субтитры создавал DimaTorzok'],
  ])('knows "%s"', (text) => {
    expect(isCredit(text)).toBe(true)
  })

  it.each([
    ['Выберите субтитры на Amara.org.'],
    ['افتح ترجمة Amara.org من القائمة.'],
    ['打开Amara.org的字幕。'],
    ['Altyazı menüsünü açın.'],
    ['字幕可以在这里打开。'],
  ])('leaves what is said about subtitles: "%s"', (text) => {
    expect(isCredit(text)).toBe(false)
  })
})
