import { describe, expect, test } from 'vitest'
import { describeWait, estimateLeft, findStageText, judgePace, makeChecklist } from './processing-view.tsx'

describe('findStageText', () => {
  test.each([
    [0, 'Starting AI analysis'],
    [9, 'Starting AI analysis'],
    [10, 'Analyzing video content'],
    [29, 'Analyzing video content'],
    [30, 'Extracting learning steps'],
    [49, 'Extracting learning steps'],
    [50, 'Enhancing with AI'],
    [69, 'Enhancing with AI'],
    [70, 'Finalizing training module'],
    [89, 'Finalizing training module'],
    [90, 'Almost ready'],
    [100, 'Almost ready'],
  ])('findStageText at %d percent says %s', { tags: 'spec-4.6' }, (percent, text) => {
    expect(findStageText(percent)).toBe(text)
  })
})

describe('makeChecklist', () => {
  test.each([
    [0, 0],
    [9, 0],
    [10, 1],
    [30, 2],
    [59, 2],
    [60, 3],
    [90, 4],
    [99, 4],
    [100, 5],
  ])('makeChecklist at %d percent has ticked %d of five', { tags: 'spec-4.7' }, (percent, ticked) => {
    const list = makeChecklist(percent)
    expect(list).toHaveLength(5)
    expect(list.filter((item) => item.state === 'done')).toHaveLength(ticked)
    expect(list.filter((item) => item.state === 'current')).toHaveLength(ticked === 5 ? 0 : 1)
  })
})

describe('judgePace', () => {
  test('warns after a minute and a half and gives up hope after five minutes', { tags: 'spec-4.8' }, () => {
    expect(judgePace(89_999)).toBe('usual')
    expect(judgePace(90_000)).toBe('slow')
    expect(judgePace(299_999)).toBe('slow')
    expect(judgePace(300_000)).toBe('overdue')
  })
})

describe('estimateLeft', () => {
  const start = { progress: 10, seconds: 0 }

  test.each([
    ['nothing before a speed is known', { progress: 14, seconds: 60 }, ''],
    ['nothing in the first seconds', { progress: 50, seconds: 9 }, ''],
    ['tens of seconds', { progress: 70, seconds: 60 }, 'about 30 seconds left'],
    ['a minute', { progress: 55, seconds: 55 }, 'about a minute left'],
    ['minutes, rounded up', { progress: 40, seconds: 301 }, 'about 11 minutes left'],
    ['hours', { progress: 20, seconds: 1_800 }, 'about 4 hours left'],
    ['a little, right before the end', { progress: 99, seconds: 120 }, 'about 10 seconds left'],
  ])('says %s', (_what, now, left) => {
    expect(estimateLeft(start, now)).toBe(left)
  })
})

describe('describeWait', () => {
  test.each([
    [
      'how many videos come first, and for how long',
      { before: 4, seconds: 170 },
      'behind 4 other videos, about 3 minutes',
    ],
    ['no time where none is known', { before: 1, seconds: null }, 'behind another video'],
    ['when a busy model is asked next', { before: 0, seconds: 61 }, 'next try in about 2 minutes'],
    ['nothing where nothing is known', { before: 0, seconds: null }, ''],
  ])('says %s', (_what, waiting, said) => {
    expect(describeWait(waiting)).toBe(said)
  })
})
