import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeStep } from '#contract/testing/examples.ts'
import {
  draftOf,
  editStep,
  isChanged,
  nudgeTime,
  readAliases,
  readDraft,
  rebaseDraft,
  StepDrafts,
} from './step-drafts.ts'

const STEP = makeStep('a', 12.345, { end: 61.9, aliases: ['latch', 'lid'], notes: 'Mind the blade.' })

describe('an unchanged draft', () => {
  test('means the step to the millisecond, although its field shows whole seconds', () => {
    expect(draftOf(STEP)).toMatchObject({ start: '00:12', end: '01:01', aliases: 'latch, lid' })
    expect(editStep(STEP, draftOf(STEP))).toEqual(STEP)
    expect(isChanged(draftOf(STEP), STEP)).toBe(false)
  })

  test('stays unchanged by spaces around a text', () => {
    expect(isChanged({ ...draftOf(STEP), title: ' Title a ', aliases: 'latch ,lid,' }, STEP)).toBe(false)
  })
})

describe('readDraft', () => {
  test('reads times, a minus, and names what is no time with null', () => {
    const read = (start: string) => readDraft({ ...draftOf(STEP), start }, STEP).start
    expect([read('0:05'), read('-0:05'), read('1:00:00'), read('soon'), read('')]).toEqual([5, -5, 3600, null, null])
  })

  test('reads the beginning of the video for a step that does not exist yet', () => {
    expect(readDraft({ ...draftOf(STEP), start: '00:00' })).toMatchObject({ start: 0, end: 61 })
  })

  test('reads aliases without empty ones', () => {
    expect(readAliases(' one, two ,, three,')).toEqual(['one', 'two', 'three'])
    expect(readAliases('')).toEqual([])
  })
})

describe('editStep', () => {
  test('keeps the length with the times', () => {
    expect(editStep(STEP, { ...draftOf(STEP), start: '00:20', end: '00:50' })).toMatchObject({
      start: 20,
      end: 50,
      duration: 30,
    })
  })

  test('shows a frame that was chosen at once, of the video that the training has', () => {
    const choose = (base: typeof STEP) => editStep(base, { ...draftOf(base), imageAt: 7 }).image
    expect(choose(STEP)).toBe('at-7000')
    expect(choose({ ...STEP, videoMark: 'r1' })).toBe('r1.at-7000')
  })
})

describe('rebaseDraft', () => {
  test('keeps what was typed and follows the step in everything else', () => {
    const typed = { ...draftOf(STEP), title: 'Mine', start: '00:20' }
    const now = makeStep('a', 14, { end: 70, title: 'Theirs', description: 'A better description.' })
    expect(rebaseDraft(typed, STEP, now)).toEqual({ ...draftOf(now), title: 'Mine', start: '00:20' })
  })

  test('is the draft of the new step where no field has been edited', () => {
    const now = makeStep('a', 14, { end: 70 })
    expect(rebaseDraft(draftOf(STEP), STEP, now)).toEqual(draftOf(now))
  })
})

describe('nudgeTime', () => {
  test('stops at the beginning and leaves what is no time alone', () => {
    expect([nudgeTime('00:00', -1), nudgeTime('x', 1), nudgeTime('59:59', 1)]).toEqual([null, null, '01:00:00'])
  })

  test('goes back to where it came from', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), (seconds) => {
        const text = draftOf(makeStep('a', seconds)).start
        return nudgeTime(nudgeTime(text, 1) ?? '', -1) === text
      }),
    )
  })
})

describe('StepDrafts', () => {
  test('keeps a draft with unsaved changes, and replaces one without', () => {
    const drafts = new StepDrafts()
    drafts.begin(STEP, 1)
    drafts.begin({ ...STEP, title: 'From the pipeline' }, 2)
    expect(drafts.get('a')?.draft.title).toBe('From the pipeline')
    drafts.change('a', { title: 'Mine' })
    drafts.begin({ ...STEP, title: 'From the pipeline again' }, 3)
    expect(drafts.get('a')).toMatchObject({ seenVersion: 2, draft: { title: 'Mine' } })
  })

  test('keeps what was typed while a save was on its way', () => {
    const drafts = new StepDrafts()
    drafts.begin(STEP, 1)
    drafts.change('a', { title: 'Sent' })
    drafts.change('a', { title: 'Sent and more' })
    drafts.settle({ ...STEP, title: 'Sent' }, 5)
    expect(drafts.get('a')).toMatchObject({
      seenVersion: 5,
      base: { title: 'Sent' },
      draft: { title: 'Sent and more' },
    })
  })

  test('ignores what comes for a draft that was discarded', () => {
    const drafts = new StepDrafts()
    drafts.begin(STEP, 1)
    drafts.discard('a')
    drafts.change('a', { title: 'Late' })
    drafts.settle(STEP, 2)
    expect(drafts.getAll().size).toBe(0)
  })
})
