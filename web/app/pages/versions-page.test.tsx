import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { makeVersionContent } from '#contract/testing/examples.ts'
import type { PublishRequest, Review, Version, VersionsAnswer } from '#contract/version.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { makeModuleAnswer, makeStep, renderPage } from '#web/testing/page-harness.tsx'
import { VersionsPage } from './versions-page.tsx'

const HASHES = { first: '1'.repeat(64), draft: '2'.repeat(64), newer: '3'.repeat(64) }
const OLD = makeVersionContent([makeStep(1, 1), makeStep(2, 15)])
const DRAFT = makeVersionContent([{ ...makeStep(1, 1), title: 'Title of the new step 1' }, makeStep(3, 30)])

function makeVersion(number: number, change: Partial<Version> = {}): Version {
  const at = { publishedAt: '2026-11-21T10:00:00.000Z', isMine: true }
  const more = { title: 'Bowline', stepCount: 2, approval: null, checks: [] }
  return { number, hash: HASHES.first, note: '', retraining: 'none', ...at, ...more, ...change }
}

const NO_RULES = {
  publishers: 'anyone',
  mayPublish: true,
  review: null,
  reviewMonths: null,
  reviewDueAt: null,
  trained: 0,
} as const

const list = (
  published: number | null,
  versions: Version[],
  rules: Partial<VersionsAnswer> = NO_RULES,
): VersionsAnswer => ({
  success: true,
  published,
  versions,
  ...NO_RULES,
  ...rules,
})

const REVIEW: Review = {
  draft: HASHES.draft,
  note: 'A new knot',
  retraining: 'changed',
  name: 'Ana Cruz',
  askedAt: '2026-11-21T10:00:00.000Z',
  isMine: false,
  sentBack: null,
}

/** What is said in a version. */
const transcriptOf = (text: string) => ({
  success: true,
  source: 'speech',
  language: 'en',
  segments: [{ id: 's', start: 3, end: 5, text, confidence: null, isEdited: false }],
})

interface Call {
  body?: unknown
}

function open(answers: Record<string, unknown>) {
  return renderPage(<VersionsPage />, {
    path: '/training/:moduleId/versions',
    url: '/training/m1/versions',
    answers: {
      'GET /api/modules/m1': makeModuleAnswer(),
      'GET /api/versions/m1/1': { success: true, hash: HASHES.first, content: OLD },
      'GET /api/versions/m1/1/comments': { success: true, threads: [] },
      'GET /api/versions/m1/draft/comments': { success: true, threads: [] },
      'GET /api/versions/m1/draft': { success: true, hash: HASHES.draft, content: DRAFT },
      ...answers,
    },
  })
}

describe('VersionsPage', () => {
  it('switches versions on, which publishes the first', async () => {
    const sent: unknown[] = []
    const user = userEvent.setup()
    open({
      'GET /api/versions/m1': list(null, []),
      'PUT /api/versions/m1': ({ body }: Call) => {
        sent.push(body)
        return list(1, [makeVersion(1)])
      },
    })
    const control = await screen.findByRole('switch', { name: 'Publish versions' })
    expect(control.getAttribute('aria-checked')).toBe('false')
    await user.click(control)
    expect(await screen.findByText('Learners see version 1.')).toBeTruthy()
    expect(sent).toEqual([{ isOn: true }])
    expect(screen.getByText('Learners see it')).toBeTruthy()
  })

  it('asks for a name where the rules do, before it is switched on', async () => {
    const sent: unknown[] = []
    const user = userEvent.setup()
    const rules = { publishers: 'approvers', mayPublish: true } as const
    open({
      'GET /api/versions/m1': list(null, [], rules),
      'PUT /api/versions/m1': ({ body }: Call) => {
        sent.push(body)
        return list(1, [makeVersion(1)], rules)
      },
    })
    await user.click(await screen.findByRole('switch', { name: 'Publish versions' }))
    const dialog = await screen.findByRole('dialog', { name: 'Release the draft' })
    expect(sent).toEqual([])
    await user.type(within(dialog).getByRole('textbox', { name: 'Your name' }), 'Kim Lee')
    await user.click(within(dialog).getByRole('button', { name: 'Release and publish' }))
    expect(await screen.findByText('Learners see version 1.')).toBeTruthy()
    expect(sent).toEqual([{ isOn: true, approval: { name: 'Kim Lee', meaning: 'approved', words: '' } }])
  })

  it('shows what changed, word by word, and publishes exactly that', async () => {
    const sent: PublishRequest[] = []
    const user = userEvent.setup()
    open({
      'GET /api/versions/m1': list(1, [makeVersion(1)], { trained: 41 }),
      'POST /api/versions/m1': ({ body }: { body: PublishRequest }) => {
        sent.push(body)
        return list(2, [makeVersion(2, { hash: HASHES.draft, note: 'A new knot' }), makeVersion(1)])
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Publish the draft…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Publish a version' })
    const steps = await within(dialog).findAllByRole('listitem')
    expect(steps.map((step) => /Added|Removed|Changed/.exec(step.textContent ?? '')?.[0])).toEqual([
      'Changed',
      'Removed',
      'Added',
    ])
    expect(dialog.querySelector('ins')?.textContent).toBe('the new')
    await user.type(within(dialog).getByRole('textbox', { name: 'What is new (optional)' }), 'A new knot')
    const retraining = within(dialog).getByRole('combobox', { name: 'Who has to do the training again?' })
    await user.selectOptions(retraining, 'Everyone, only the changed steps')
    expect(within(dialog).getByText('Asked: 41 people × 2 of 2 steps')).toBeVisible()
    await user.click(within(dialog).getByRole('button', { name: 'Publish' }))
    expect(await screen.findByText('A new knot')).toBeTruthy()
    expect(sent).toEqual([
      { draft: HASHES.draft, published: 1, note: 'A new knot', retraining: 'changed', seenComments: 0 },
    ])
  })

  it('shows the part of an image to look at, before and after', async () => {
    const withFocus = (x: number) => {
      const focus = { x, y: 20, width: 40, height: 30 }
      return makeVersionContent([{ ...makeStep(1, 1), image: 'step-1', focus }])
    }
    open({
      'GET /api/modules/m1': makeModuleAnswer({ posterUrl: '/api/modules/m1/images/poster' }),
      'GET /api/versions/m1': list(1, [makeVersion(1)]),
      'GET /api/versions/m1/1': { success: true, hash: HASHES.first, content: withFocus(10) },
      'GET /api/versions/m1/draft': { success: true, hash: HASHES.draft, content: withFocus(50) },
    })
    expect((await screen.findByText('Part to look at')).parentElement?.textContent).toMatch(/10%.*50% *from the left/)
    expect(screen.getAllByTestId('part-to-look-at').map(({ style }) => style.left)).toEqual(['10%', '50%'])
    await userEvent.setup().click(screen.getByRole('button', { name: 'Read version 1' }))
    const reader = await screen.findByRole('dialog', { name: 'Version 1' })
    expect((await within(reader).findByTestId('part-to-look-at')).style.left).toBe('10%')
    expect(within(reader).getByText(/10% from the left/)).toBeTruthy()
  })

  it('shows the draft as it is now to a publisher who saw another one', async () => {
    const sent: PublishRequest[] = []
    const user = userEvent.setup()
    const newer = makeVersionContent([{ ...makeStep(1, 1), title: 'Even newer' }])
    let draft = { hash: HASHES.draft, content: DRAFT }
    // What was asked before the second try comes after its answer.
    const late = Promise.withResolvers<VersionsAnswer>()
    let asked = 0
    open({
      'GET /api/versions/m1': () => (asked++ === 0 ? list(1, [makeVersion(1)]) : late.promise),
      'GET /api/versions/m1/draft': () => ({ success: true, ...draft }),
      'POST /api/versions/m1': ({ body }: { body: PublishRequest }) => {
        sent.push(body)
        if (body.draft === HASHES.newer) return list(2, [makeVersion(2), makeVersion(1)])
        draft = { hash: HASHES.newer, content: newer }
        const problem = { type: 'about:blank', title: '', status: 409, code: 'version_conflict', detail: '' }
        const common = { requestId: 'test', success: false, error: '' }
        const body409 = { ...problem, ...common, hash: HASHES.newer, content: newer, published: 1 }
        return new ApiError({ status: 409, code: 'version_conflict', message: 'Changed', body: body409 })
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Publish the draft…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Publish a version' })
    await user.click(await within(dialog).findByRole('button', { name: 'Publish' }))
    expect(await within(dialog).findByText(/Someone has changed the draft/)).toBeTruthy()
    expect(await within(dialog).findByText('Even newer')).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Publish' }))
    expect(await screen.findByText('Learners see version 2.')).toBeTruthy()
    expect(asked).toBe(2)
    late.resolve(list(1, [makeVersion(1)]))
    await act(() => new Promise((resolve) => setTimeout(resolve)))
    expect(await screen.findByText('Learners see version 2.')).toBeTruthy()
    expect(sent.map((request) => request.draft)).toEqual([HASHES.draft, HASHES.newer])
  })

  it('says that nothing has changed instead of publishing it', async () => {
    const user = userEvent.setup()
    open({
      'GET /api/versions/m1': list(1, [makeVersion(1)]),
      'GET /api/versions/m1/draft': { success: true, hash: HASHES.first, content: OLD },
    })
    await user.click(await screen.findByRole('button', { name: 'Publish the draft…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Publish a version' })
    expect(await within(dialog).findByText('Both versions say the same.')).toBeTruthy()
    expect(within(dialog).queryByRole('button', { name: 'Publish' })).toBeNull()
  })

  it('reads a version, and makes it the draft again', async () => {
    const sent: unknown[] = []
    const user = userEvent.setup()
    open({
      'GET /api/versions/m1': list(null, [makeVersion(1, { isMine: false, retraining: 'all' })]),
      'POST /api/versions/m1/1/restore': ({ body }: Call) => {
        sent.push(body)
        const meta = { durationSec: 60, version: 2, editedVersion: 2, transcriptSource: null }
        return { success: true, steps: [], transcript: '', meta }
      },
    })
    expect(await screen.findByText(/by a colleague · Retraining: Everyone, all of it/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Read version 1' }))
    const reader = await screen.findByRole('dialog', { name: 'Version 1' })
    expect(await within(reader).findByText('Title of step 2')).toBeTruthy()
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Make version 1 the draft' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Make it the draft' }))
    await expect.poll(() => sent).toEqual([{ stepsVersion: 1 }])
  })

  it('says that an erased person has sent a draft back', async () => {
    const sentBack = { name: '', reason: 'The lid is missing.', sentBackAt: '2026-11-22T10:00:00.000Z' }
    open({ 'GET /api/versions/m1': list(1, [makeVersion(1)], { review: { ...REVIEW, sentBack } }) })
    expect(await screen.findByText(/^Erased person sent the draft back/)).toBeTruthy()
  })

  it('names erased people in a line, and at its beginning with a capital', async () => {
    const erasedWith = (meaning: 'approved' | 'responsible') => ({ approval: { name: '', meaning, words: '' } })
    const checks = [{ name: '', checkedAt: '2026-11-22T10:00:00.000Z' }]
    open({
      'GET /api/versions/m1': list(2, [
        makeVersion(2, { ...erasedWith('responsible'), checks }),
        makeVersion(1, erasedWith('approved')),
      ]),
    })
    expect(await screen.findByText('Erased person is responsible')).toBeTruthy()
    expect(screen.getByText('Approved by an erased person')).toBeTruthy()
    expect(screen.getByText(/^Still right on .*: Erased person$/)).toBeTruthy()
  })

  it('asks others for a release where somebody else has to give it, and shows why it was sent back', async () => {
    const sent: unknown[] = []
    const user = userEvent.setup()
    const sentBack = { name: 'Kim Lee', reason: 'The lid is missing.', sentBackAt: '2026-11-22T10:00:00.000Z' }
    const rules = { publishers: 'approvers', mayPublish: false } as const
    open({
      'GET /api/versions/m1': list(1, [makeVersion(1)], { ...rules, review: { ...REVIEW, isMine: true, sentBack } }),
      'POST /api/versions/m1/review': ({ body }: Call) => {
        sent.push(body)
        return list(1, [makeVersion(1)], { ...rules, review: { ...REVIEW, isMine: true } })
      },
    })
    expect(await screen.findByText(/Kim Lee sent the draft back/)).toBeTruthy()
    expect(screen.getByText('The lid is missing.')).toBeTruthy()
    expect(screen.getByRole('switch', { name: 'Publish versions' }).ariaDisabled).toBe('true')
    await user.click(screen.getByRole('button', { name: 'Ask for release…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Ask for release' })
    await user.type(await within(dialog).findByRole('textbox', { name: 'Your name' }), 'Ana Cruz')
    await user.click(within(dialog).getByRole('button', { name: 'Ask for release' }))
    expect(await screen.findByText(/Ana Cruz asks for release/)).toBeTruthy()
    expect(sent).toEqual([{ draft: HASHES.draft, note: 'A new knot', retraining: 'changed', name: 'Ana Cruz' }])
    expect(screen.queryByRole('button', { name: 'Review…' })).toBeNull()
  })

  it('releases what was asked for with a name, or sends it back with a reason', async () => {
    const sent: unknown[] = []
    const user = userEvent.setup()
    const rules = { publishers: 'four_eyes', mayPublish: true } as const
    const approval = { name: 'Kim Lee', meaning: 'approved', words: '' } as const
    open({
      'GET /api/versions/m1': list(1, [makeVersion(1)], { ...rules, review: REVIEW }),
      'PUT /api/versions/m1/review': ({ body }: Call) => {
        sent.push(body)
        return list(1, [makeVersion(1)], { ...rules, review: REVIEW })
      },
      'POST /api/versions/m1': ({ body }: Call) => {
        sent.push(body)
        return list(2, [makeVersion(2, { approval }), makeVersion(1)], rules)
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Review…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Review and release' })
    await user.type(await within(dialog).findByRole('textbox', { name: 'Your name' }), 'Kim Lee')
    await user.type(within(dialog).getByRole('textbox', { name: /What has to change/ }), 'The lid')
    await user.click(within(dialog).getByRole('button', { name: 'Send back' }))
    await expect.poll(() => sent).toEqual([{ name: 'Kim Lee', reason: 'The lid' }])
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Review…' }))
    const again = await screen.findByRole('dialog', { name: 'Review and release' })
    await user.type(await within(again).findByRole('textbox', { name: 'Your name' }), 'Kim Lee')
    await user.click(within(again).getByRole('button', { name: 'Release and publish' }))
    expect(await screen.findByText(/Approved by Kim Lee/)).toBeTruthy()
    const request = { draft: HASHES.draft, published: 1, note: 'A new knot', retraining: 'changed', seenComments: 0 }
    expect(sent[1]).toEqual({ ...request, approval })
  })

  it('shows comments beside the steps that they are about, and takes and settles them', async () => {
    const sent: unknown[] = []
    const user = userEvent.setup()
    const rules = { publishers: 'four_eyes', mayPublish: true } as const
    const said = { id: 'c1', name: 'Ana Cruz', text: 'Which rope?', saidAt: REVIEW.askedAt, isMine: false }
    const [changed, unchanged] = [OLD.steps[0]?.id ?? '', 'gone']
    const threads = [
      { stepId: changed, isResolved: false, comments: [said] },
      { stepId: unchanged, isResolved: true, comments: [{ ...said, id: 'c2', name: '', text: 'Well done.' }] },
    ]
    const change = ({ body }: Call) => {
      sent.push(body)
      return { success: true, threads }
    }
    open({
      'GET /api/versions/m1': list(1, [makeVersion(1)], { ...rules, review: REVIEW }),
      'GET /api/versions/m1/draft/comments': { success: true, threads },
      'POST /api/versions/m1/comments': change,
      'PUT /api/versions/m1/comments': change,
    })
    await user.click(await screen.findByRole('button', { name: 'Review…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Review and release' })
    const step = (await within(dialog).findByText('Which rope?')).closest('ol > li') as HTMLElement
    expect(within(step).getByText('Changed')).toBeTruthy()
    const others = within(dialog).getByText('Comments on other steps').parentElement as HTMLElement
    expect(within(others).getByText('A step that is gone')).toBeTruthy()
    expect(within(others).getByText('Erased person')).toBeTruthy()
    await user.click(within(step).getByRole('button', { name: 'Settle' }))
    await user.click(within(step).getByRole('button', { name: 'Comment on “Title of the new step 1”' }))
    expect(document.activeElement).toBe(within(step).getByRole('textbox', { name: 'Your comment' }))
    await user.keyboard('The red one')
    await user.type(within(step).getByRole('textbox', { name: 'Your name' }), 'Kim Lee')
    await user.click(within(step).getByRole('button', { name: 'Send' }))
    await expect.poll(() => sent).toHaveLength(2)
    expect(sent).toEqual([
      { stepId: changed, isResolved: true, seenComments: 1 },
      { stepId: changed, name: 'Kim Lee', text: 'The red one' },
    ])
    await expect.poll(() => document.activeElement?.textContent).toBe('Comment')
    // The name is typed once.
    expect(await within(dialog).findByDisplayValue('Kim Lee')).toBeTruthy()
  })

  it('shows comments that came meanwhile before they are published, and says how many are open', async () => {
    const sent: PublishRequest[] = []
    const user = userEvent.setup()
    const said = { id: 'c1', name: 'Ana Cruz', text: 'Which rope?', saidAt: REVIEW.askedAt, isMine: false }
    const stepId = DRAFT.steps[0]?.id ?? ''
    let comments = [said]
    open({
      'GET /api/versions/m1': list(1, [makeVersion(1)]),
      'GET /api/versions/m1/draft/comments': () => {
        return { success: true, threads: [{ stepId, isResolved: false, comments }] }
      },
      'POST /api/versions/m1': ({ body }: { body: PublishRequest }) => {
        sent.push(body)
        if (body.seenComments === 2) return list(2, [makeVersion(2), makeVersion(1)])
        comments = [said, { ...said, id: 'c2', text: 'Stop!' }]
        return new ApiError({ status: 409, code: 'version_conflict', message: 'New comments' })
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Publish the draft…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Publish a version' })
    expect(await within(dialog).findByText('Comments on 1 step are still open.')).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Publish' }))
    expect(await within(dialog).findByText('Stop!')).toBeTruthy()
    expect(within(dialog).getByText(/New comments have come/)).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Publish' }))
    expect(await screen.findByText('Learners see version 2.')).toBeTruthy()
    expect(sent.map(({ seenComments }) => seenComments)).toEqual([1, 2])
  })

  it('shows a first version whole, before which learners see nothing', async () => {
    const user = userEvent.setup()
    const content = { ...DRAFT, captions: HASHES.newer }
    open({
      'GET /api/versions/m1': list(0, []),
      'GET /api/versions/m1/draft': { success: true, hash: HASHES.draft, content },
      'GET /api/versions/m1/draft/transcript': transcriptOf('Take the rope'),
    })
    expect(await screen.findByText(/Learners see nothing of it/)).toBeTruthy()
    expect(screen.getByRole('switch', { name: 'Publish versions' }).getAttribute('aria-checked')).toBe('true')
    await user.click(screen.getByRole('button', { name: 'Publish the draft…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Publish a version' })
    expect(await within(dialog).findByText('Title of the new step 1')).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Show the transcript' }))
    expect(await within(dialog).findByText('Take the rope')).toBeTruthy()
    expect(within(dialog).getByRole('button', { name: 'Publish' })).toBeTruthy()
    // Nothing is new before the first one, and nobody has done it.
    expect(within(dialog).queryByRole('textbox')).toBeNull()
    expect(within(dialog).queryByRole('combobox')).toBeNull()
  })

  it('offers no release while the training is being made', async () => {
    const rules = { publishers: 'four_eyes', mayPublish: true } as const
    open({
      'GET /api/modules/m1': makeModuleAnswer({ status: 'PROCESSING' }),
      'GET /api/versions/m1': list(1, [makeVersion(1)], { ...rules, review: REVIEW }),
    })
    expect(await screen.findByRole('button', { name: 'Review…' })).toHaveProperty('disabled', true)
    expect(screen.getByText(/once the training is ready/)).toBeTruthy()
  })

  it('says when the version is to be looked at again, and records that it was', async () => {
    const sent: unknown[] = []
    const user = userEvent.setup()
    const due = { reviewMonths: 12, reviewDueAt: '2020-11-03T10:00:00.000Z' }
    const answer = (rules: Partial<VersionsAnswer>, checks: Version['checks'] = []) =>
      list(1, [makeVersion(1, { checks })], { ...NO_RULES, ...rules })
    open({
      'GET /api/versions/m1': answer({}),
      'PUT /api/versions/m1/schedule': ({ body }: Call) => {
        sent.push(body)
        return answer(due)
      },
      'POST /api/versions/m1/checks': ({ body }: Call) => {
        sent.push(body)
        return answer({ ...due, reviewDueAt: '2999-11-03T10:00:00.000Z' }, [
          { name: 'Kim Lee', checkedAt: REVIEW.askedAt },
        ])
      },
    })
    const months = await screen.findByRole('combobox', { name: 'Review the published version' })
    await user.selectOptions(months, 'Every 12 months')
    expect(await screen.findByText(/Review due since/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Reviewed, still right…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Reviewed, still right' })
    await user.type(within(dialog).getByRole('textbox', { name: 'Your name' }), 'Kim Lee')
    await user.click(within(dialog).getByRole('button', { name: 'It is still right' }))
    expect(await screen.findByText(/Next review/)).toBeTruthy()
    expect(screen.getByText(/Still right on .*: Kim Lee/)).toBeTruthy()
    expect(sent).toEqual([{ months: 12 }, { published: 1, name: 'Kim Lee' }])
  })

  it('shows what is said otherwise in the draft as it is by now', async () => {
    const user = userEvent.setup()
    const draftOf = (captions: string) => ({ hash: captions, content: { ...DRAFT, captions } })
    let [draft, text] = [draftOf(HASHES.draft), 'Take the red rope']
    open({
      'GET /api/versions/m1': list(1, [makeVersion(1)]),
      'GET /api/versions/m1/1': { success: true, hash: HASHES.first, content: { ...OLD, captions: HASHES.first } },
      'GET /api/versions/m1/draft': () => ({ success: true, ...draft }),
      'GET /api/versions/m1/1/transcript': transcriptOf('Take the rope'),
      'GET /api/versions/m1/draft/transcript': () => transcriptOf(text),
      'POST /api/versions/m1': () => {
        ;[draft, text] = [draftOf(HASHES.newer), 'Take the blue rope']
        const problem = { type: 'about:blank', title: '', status: 409, code: 'version_conflict', detail: '' }
        const body = { ...problem, requestId: 'test', success: false, error: '', ...draft, published: 1 }
        return new ApiError({ status: 409, code: 'version_conflict', message: 'Changed', body })
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Publish the draft…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Publish a version' })
    await user.click(await within(dialog).findByRole('button', { name: 'Show the lines that differ' }))
    const said = () => within(dialog).queryByRole('list', { name: 'Transcript' })?.textContent
    await expect.poll(said).toMatch(/red/)
    await user.click(within(dialog).getByRole('button', { name: 'Publish' }))
    await expect.poll(said).toMatch(/blue/)
  })

  it('shows what was said in an old version, and what is said otherwise now', async () => {
    const user = userEvent.setup()
    const captions = (content: typeof OLD, hash: string) => ({ ...content, captions: hash })
    open({
      'GET /api/versions/m1': list(1, [makeVersion(1)]),
      'GET /api/versions/m1/1': { success: true, hash: HASHES.first, content: captions(OLD, HASHES.first) },
      'GET /api/versions/m1/draft': { success: true, hash: HASHES.draft, content: captions(DRAFT, HASHES.newer) },
      'GET /api/versions/m1/1/transcript': transcriptOf('Take the rope'),
      'GET /api/versions/m1/draft/transcript': transcriptOf('Take the red rope'),
    })
    await user.click(await screen.findByRole('button', { name: 'Show the lines that differ' }))
    const lines = await screen.findByRole('list', { name: 'Transcript' })
    expect(lines.querySelector('ins')?.textContent).toBe('red')
    await user.click(screen.getByRole('button', { name: 'Read version 1' }))
    const reader = await screen.findByRole('dialog', { name: 'Version 1' })
    await user.click(await within(reader).findByRole('button', { name: 'Show the transcript' }))
    expect(await within(reader).findByText('Take the rope')).toBeTruthy()
  })

  it('is for owners: others are led to the training', async () => {
    open({
      'GET /api/modules/m1': makeModuleAnswer({ role: 'viewer' }),
      'GET /api/versions/m1': list(1, [makeVersion(1)]),
    })
    expect(await screen.findByText('Another page')).toBeTruthy()
  })
})
