import { describe, expect, it } from 'vitest'
import { joinWords } from './speech-to-text.ts'

describe('joinWords', () => {
  it.each([
    [['Open', 'the', 'menu.'], 'Open the menu.'],
    [['Chapter', '2,', 'page', '3'], 'Chapter 2, page 3'],
    [['wait…', '2', 'minutes'], 'wait… 2 minutes'],
    [['ढक्कन', 'खोलिए।', 'फिर'], 'ढक्कन खोलिए। फिर'],
    [['हाँ', '2', 'मिनट'], 'हाँ 2 मिनट'],
    [['메뉴를', '여세요.'], '메뉴를 여세요.'],
  ])('puts blanks between words: %j', (words, text) => {
    expect(joinWords(words)).toBe(text)
  })

  it.each([
    [['打', '开', '盖', '子'], '打开盖子'],
    [['打开', '盖子，', '等待。', '水'], '打开盖子，等待。水'],
    [['打开', '“文件”', '菜单'], '打开“文件”菜单'],
    [['打开', '（左边）', '的', '盖子'], '打开（左边）的盖子'],
    [['打开,', '等待'], '打开,等待'],
    [['メニュー', 'を', '開く。', '次'], 'メニューを開く。次'],
    [['เปิด', 'ฝา'], 'เปิดฝา'],
    [['𠀀', '𠀁'], '𠀀𠀁'],
  ])('puts none between characters of a script that has none, whatever sign stands there: %j', (words, text) => {
    expect(joinWords(words)).toBe(text)
  })

  it.each([
    [['等待', '2.5', '分钟。'], '等待2.5分钟。'],
    [['打开，', '2', '分钟'], '打开，2分钟'],
    [['装到', '80%。', '灯'], '装到80%。灯'],
    [['รอ', '2.5', 'นาที'], 'รอ 2.5 นาที'],
    [['点击', 'OK', '按钮'], '点击 OK 按钮'],
  ])('puts none around numbers in Chinese and Japanese, and one around other scripts: %j', (words, text) => {
    expect(joinWords(words)).toBe(text)
  })
})
