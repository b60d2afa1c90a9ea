// Behaviour: progress in a collection, from the stored progress of its modules.
import { beforeEach, expect, it } from 'vitest'
import type { TimeRanges } from '#contract/time/time-ranges.ts'
import { keepLearned, NOTHING_LEARNED, percentOf } from '#web/features/learning/learned.ts'
import { keepAccountLearner } from '#web/features/learning/learner-id.ts'
import script from '../../../public/collection.js?raw'

/** The page of a collection with modules of these lengths, as the worker writes it. */
function open(seconds: readonly (number | '')[]) {
  const members = seconds.map((length, index) => {
    return `<li data-module="m${index}" data-seconds="${length}"><span class="mark" hidden></span></li>`
  })
  document.body.innerHTML = `<div id="whole" data-completed="✓ Completed" data-watched="{percent}% watched" data-count="{completed} of {count} completed" hidden><p></p><progress></progress></div><ol>${members.join('')}</ol>`
  // oxlint-disable-next-line typescript/no-implied-eval -- the file is of no build, and runs here as the browser runs it
  new Function(script)()
  const marks = [...document.querySelectorAll<HTMLElement>('.mark')]
  const whole = document.getElementById('whole')
  return {
    marks: marks.map((mark) => (mark.hidden ? null : mark.textContent)),
    whole: whole?.hidden === true ? null : whole?.querySelector('p')?.textContent,
  }
}

function learn(who: string, moduleId: string, seen: TimeRanges, isCompleted = false) {
  keepLearned({ who, moduleId }, { before: NOTHING_LEARNED, seen, isCompleted })
}

beforeEach(() => localStorage.clear())

it('shows the same percentage as the page of each training, of all that this device keeps', () => {
  const seen = [
    [0, 7],
    [30, 41],
  ] as const
  learn('anyone', 'm0', seen)
  learn('user_1', 'm1', seen, true)
  learn('user_2', 'm2', seen)
  keepAccountLearner({ userId: 'user_1', token: 't', atMs: 1 })
  const expected = percentOf({ seen, isCompleted: false }, 90.6)
  expect(open([90.6, 60, 60, ''])).toEqual({
    marks: [`${expected}% watched`, '✓ Completed', null, null],
    whole: '1 of 4 completed',
  })
})

it('shows nothing watched where nothing can be read, and no progress over an empty collection', () => {
  localStorage.setItem('adapt_learned:anyone:m0', '{"seen": "all of it"')
  expect(open([60])).toEqual({ marks: [null], whole: '0 of 1 completed' })
  expect(open([])).toEqual({ marks: [], whole: null })
})
