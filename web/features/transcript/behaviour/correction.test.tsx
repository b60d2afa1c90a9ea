// Behaviour: correcting a transcript: box, changes, other places.
import { useQuery } from '@tanstack/react-query'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import type { CorrectTranscript, OrphanedCorrection, TranscriptSegment } from '#contract/transcript.ts'
import { useApi } from '#web/lib/api.ts'
import { type Answers, makeProblem, renderPage } from '#web/testing/page-harness.tsx'
import { Toaster } from '#web/ui/toast.tsx'
import { TranscriptBox } from '../transcript-box.tsx'
import { transcriptQuery } from '../transcript-query.ts'

const CORRECT = 'PATCH /api/transcript/m1'
const LINES = ['Open cooper netties.', 'Click Save.', 'Now cooper netties is ready.', 'cooper netties again']

/** A server that keeps the lines. */
function open(
  more: { orphaned?: OrphanedCorrection[]; answers?: Answers; isOwner?: boolean; beforeScreen?: string } = {},
) {
  const segments: TranscriptSegment[] = LINES.map((text, at) => ({
    id: `l${at}`,
    start: at * 5,
    end: at * 5 + 4,
    text,
    confidence: null,
    isEdited: false,
    ...(at === 0 && more.beforeScreen !== undefined && { beforeScreen: more.beforeScreen }),
  }))
  const sent: CorrectTranscript[] = []
  const onCorrected = vi.fn()
  const onUnsavedChange = vi.fn()
  function Page() {
    const [isGrowing, setIsGrowing] = useState(false)
    const { data, refetch } = useQuery(transcriptQuery(useApi(), 'm1'))
    if (data === undefined) return null
    const corrector = { moduleId: 'm1', orphaned: data.orphaned, onCorrected, onUnsavedChange }
    function endRun() {
      for (const [at, segment] of segments.entries()) segments[at] = { ...segment, id: `again-${at}` }
      void refetch().then(() => setIsGrowing(false))
    }
    const text = data.segments.map((segment) => segment.text).join(' ')
    return (
      <>
        <TranscriptBox
          title="How to tie a bowline"
          text={text}
          segments={data.segments}
          isGrowing={isGrowing}
          corrector={more.isOwner === false ? undefined : corrector}
        />
        <button type="button" onClick={() => setIsGrowing(true)}>
          Begin a run
        </button>
        <button type="button" onClick={endRun}>
          End the run
        </button>
        <Toaster />
      </>
    )
  }
  const answers: Answers = {
    'GET /api/transcript/m1': () => ({
      success: true,
      source: 'speech',
      language: 'en',
      segments,
      orphaned: more.orphaned ?? [],
    }),
    [CORRECT]: ({ body }: { body: CorrectTranscript }) => {
      sent.push(body)
      const named = body.edits.map(({ id, text }) => {
        const at = segments.findIndex((segment) => segment.id === id)
        const { beforeScreen: _, ...segment } = segments[at] as TranscriptSegment
        return (segments[at] = { ...segment, text, isEdited: true })
      })
      return { success: true, segments: named, isInGlossary: true }
    },
    ...more.answers,
  }
  const page = renderPage(<Page />, { path: '/', url: '/', answers })
  return { ...page, sent, onCorrected, onUnsavedChange, user: userEvent.setup() }
}

const start = async () => userEvent.click(await screen.findByRole('button', { name: 'Correct the transcript' }))
const line = (name: RegExp) => screen.getByRole('button', { name })
const field = () => screen.getByRole('textbox', { name: /^Line at/ })

describe('correcting a transcript', () => {
  test('changes a line, keeps the count of characters, and gives the focus back', async () => {
    const { user, sent, onCorrected } = open()
    await start()
    await user.click(line(/at 5 seconds: ?Click Save/))
    expect(field()).toHaveFocus()
    await user.clear(field())
    await user.type(field(), '  Press  Save. {Enter}')
    expect(await screen.findByText('Line corrected')).toBeInTheDocument()
    expect(sent).toEqual([{ edits: [{ id: 'l1', was: 'Click Save.', text: 'Press Save.' }], glossary: [] }])
    expect(line(/Press Save\..*corrected/)).toHaveFocus()
    expect(screen.getByText('82 characters')).toBeVisible()
    expect(onCorrected).toHaveBeenCalledOnce()
  })

  test.each(['while it is read', 'while lines are corrected'])(
    'sets a line back that the screen has repaired, %s',
    async (when) => {
      const { user, sent } = open({ beforeScreen: 'Open cupper netties.' })
      await screen.findByText('82 characters')
      if (when === 'while lines are corrected') await start()
      await user.click(await screen.findByRole('button', { name: /repaired this line\. Back to “Open cupper netties/ }))
      expect(await screen.findByText('Line corrected')).toBeInTheDocument()
      expect(sent[0]).toMatchObject({
        edits: [{ id: 'l0', was: 'Open cooper netties.', text: 'Open cupper netties.' }],
      })
      expect(screen.queryByRole('button', { name: /repaired this line/ })).not.toBeInTheDocument()
    },
  )

  test('takes a correction back on Undo', async () => {
    const { user, sent } = open()
    await start()
    await user.click(line(/Click Save/))
    await user.type(field(), ' Now.{Enter}')
    await screen.findByText('Line corrected')
    // jsdom knows no pointer capture, which a toast asks for when it is pressed.
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByRole('button', { name: /: ?Click Save\.( ?corrected)?$/ })).toBeVisible()
    expect(sent[1]).toMatchObject({ edits: [{ id: 'l1', was: 'Click Save. Now.', text: 'Click Save.' }] })
  })

  test('is one stop for the keyboard; arrows, Home and End move between the lines', async () => {
    const { user } = open()
    await start()
    // Past the two buttons behind it.
    await user.tab()
    await user.tab()
    await user.tab()
    expect(line(/Open cooper/)).toHaveFocus()
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(line(/Now cooper/)).toHaveFocus()
    await user.keyboard('{End}{ArrowDown}')
    expect(line(/again/)).toHaveFocus()
    await user.keyboard('{Home}{ArrowUp}')
    expect(line(/Open cooper/)).toHaveFocus()
    await user.keyboard('{ArrowDown}{Enter}')
    expect(field()).toHaveValue('Click Save.')
    await user.keyboard('nonsense{Escape}')
    expect(line(/Click Save\.$/)).toHaveFocus()
    await user.tab()
    expect(screen.getByRole('group', { name: 'Transcript' })).not.toContainElement(
      document.activeElement as HTMLElement,
    )
  })

  test('leaves a line that was not changed, and refuses an empty one', async () => {
    const { user, sent } = open()
    await start()
    await user.click(line(/Click Save/))
    await user.clear(field())
    await user.keyboard('{Enter}')
    expect(screen.getByRole('alert')).toHaveTextContent('A line cannot be empty.')
    expect(field()).toHaveAccessibleDescription('A line cannot be empty.')
    await user.type(field(), 'Click Save.{Enter}')
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(sent).toEqual([])
  })

  test('offers the same words in other places, ticked one by one, with the word for the glossary', async () => {
    const { user, sent } = open()
    await start()
    await user.click(line(/Open cooper/))
    await user.clear(field())
    await user.type(field(), 'Open Kubernetes.{Enter}')
    expect(await screen.findByText(/is in 2 other places/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Look at them' }))
    const dialog = await screen.findByRole('dialog', { name: 'Replace “cooper netties” with “Kubernetes”?' })
    const ticks = within(dialog).getAllByRole('checkbox')
    expect(ticks).toHaveLength(4)
    for (const tick of ticks) expect(tick).toBeChecked()
    await user.click(within(dialog).getByRole('checkbox', { name: /again/ }))
    expect(within(dialog).getByRole('checkbox', { name: 'All 2 places' })).not.toBeChecked()
    await user.click(within(dialog).getByRole('button', { name: 'Replace in 1 place' }))
    expect(await screen.findByText('“Kubernetes” will be expected the next time')).toBeInTheDocument()
    expect(sent[1]).toEqual({
      edits: [{ id: 'l2', was: 'Now cooper netties is ready.', text: 'Now Kubernetes is ready.' }],
      glossary: ['Kubernetes'],
    })
    expect(screen.queryByText(/other place/)).toBeNull()
  })

  test('offers the glossary alone where the words are nowhere else', async () => {
    const { user, sent } = open()
    await start()
    await user.click(line(/Click Save/))
    await user.clear(field())
    await user.type(field(), 'Click Sieve.{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Add to glossary' }))
    await waitFor(() => expect(sent[1]).toEqual({ edits: [], glossary: ['Sieve'] }))
  })

  test('keeps the line open when it could not be saved', async () => {
    const { user } = open({ answers: { [CORRECT]: makeProblem('version_conflict', 'Someone else changed this') } })
    await start()
    await user.click(line(/Click Save/))
    await user.type(field(), ' Now.{Enter}')
    expect(await screen.findByText('Failed to save')).toBeInTheDocument()
    expect(field()).toHaveValue('Click Save. Now.')
  })

  test('is saved before another line opens', async () => {
    const { user, sent } = open()
    await start()
    await user.click(line(/Click Save/))
    await user.type(field(), ' Now.')
    await user.click(line(/again/))
    await waitFor(() => expect(field()).toHaveValue('cooper netties again'))
    expect(field()).toHaveFocus()
    expect(sent).toEqual([{ edits: [{ id: 'l1', was: 'Click Save.', text: 'Click Save. Now.' }], glossary: [] }])
    expect(line(/Click Save\. Now\./)).toBeVisible()
    await user.click(line(/Open cooper/))
    expect(field()).toHaveValue('Open cooper netties.')
    expect(sent).toHaveLength(1)
  })

  test.each([
    ['cannot be saved', ' Now.', 'Failed to save'],
    ['is empty', '{Control>}a{/Control}{Backspace}', 'A line cannot be empty.'],
  ])('keeps the line open where it %s before another opens, and says why', async (_why, typed, reason) => {
    const { user } = open({ answers: { [CORRECT]: makeProblem('version_conflict', 'Someone else changed this') } })
    await start()
    await user.click(line(/Click Save/))
    await user.type(field(), typed)
    const draft = field().textContent
    await user.click(line(/again/))
    expect(await screen.findByText(reason)).toBeInTheDocument()
    await waitFor(() => expect(field()).toHaveFocus())
    expect(field()).toHaveValue(draft)
    expect(field()).toHaveAccessibleName('Line at 5 seconds')
  })

  test('leaves the line alone that was opened while another was being saved', async () => {
    const slow = Promise.withResolvers<unknown>()
    const { user } = open({ answers: { [CORRECT]: () => slow.promise } })
    await start()
    await user.click(line(/Click Save/))
    await user.type(field(), ' Now.{Enter}')
    expect(field()).toHaveAttribute('readonly')
    await user.click(line(/again/))
    slow.resolve({ success: true, segments: [], isInGlossary: true })
    await waitFor(() => expect(field()).toHaveValue('cooper netties again'))
    await user.type(field(), '!')
    await screen.findByText('Line corrected')
    expect(field()).toHaveValue('cooper netties again!')
  })

  test('reports whether there are unsaved changes', async () => {
    const { user, onUnsavedChange } = open()
    await start()
    await user.click(line(/Click Save/))
    expect(onUnsavedChange).toHaveBeenLastCalledWith(false)
    await user.type(field(), '!')
    expect(onUnsavedChange).toHaveBeenLastCalledWith(true)
    await user.type(field(), '{Backspace} ')
    expect(onUnsavedChange).toHaveBeenLastCalledWith(false)
    await user.type(field(), 'Now.{Enter}')
    await screen.findByText('Line corrected')
    expect(onUnsavedChange).toHaveBeenLastCalledWith(false)
  })

  test('outlives a run, which gives the lines other names', async () => {
    const { user, sent, onUnsavedChange } = open()
    await start()
    await user.click(line(/Click Save/))
    await user.type(field(), ' Now.')
    await user.click(screen.getByRole('button', { name: 'Begin a run' }))
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.getByText(/line at 00:05 is not saved yet\. You can go on when/)).toBeVisible()
    expect(screen.getByText('Click Save. Now.')).toBeVisible()
    expect(onUnsavedChange).toHaveBeenLastCalledWith(true)
    await user.click(screen.getByRole('button', { name: 'End the run' }))
    await user.click(await screen.findByRole('button', { name: 'Go on correcting' }))
    expect(field()).toHaveFocus()
    await user.keyboard('{Enter}')
    await screen.findByText('Line corrected')
    expect(sent[0]?.edits).toEqual([{ id: 'again-1', was: 'Click Save.', text: 'Click Save. Now.' }])
    expect(screen.queryByText(/not saved yet/)).toBeNull()
  })

  test('is discarded on request where a run has begun', async () => {
    const { user, onUnsavedChange } = open()
    await start()
    await user.click(line(/Click Save/))
    await user.type(field(), ' Now.')
    await user.click(screen.getByRole('button', { name: 'Begin a run' }))
    await user.click(screen.getByRole('button', { name: 'Discard it' }))
    expect(screen.queryByText(/not saved yet/)).toBeNull()
    expect(screen.getByRole('heading', { name: 'Transcript' })).toHaveFocus()
    expect(onUnsavedChange).toHaveBeenLastCalledWith(false)
  })

  test('is not for viewers', async () => {
    open({ isOwner: false })
    expect(await screen.findByText('Click Save.')).toBeVisible()
    expect(screen.queryByRole('button', { name: /Correct/ })).toBeNull()
  })
})

describe('corrections without a place', () => {
  const orphaned = [
    { id: 's1-1', start: 10, end: 14, transcribed: 'Now cooper netties is steady.', text: 'Now Kubernetes is steady.' },
  ]

  test('corrections without a place are listed, and can be put in by hand', async () => {
    const { user, sent } = open({ orphaned })
    expect(await screen.findByText(/One of your corrections found no place/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: /Put it in/ }))
    expect(field()).toHaveValue('Now Kubernetes is steady.')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(sent[0]?.edits[0]).toMatchObject({ id: 'l2', text: 'Now Kubernetes is steady.' }))
  })

  test('corrections without a place are put in after what is being typed elsewhere', async () => {
    const { user, sent } = open({ orphaned })
    await start()
    await user.click(line(/Click Save/))
    await user.type(field(), ' Now.')
    await user.click(screen.getByRole('button', { name: /Put it in/ }))
    await waitFor(() => expect(field()).toHaveValue('Now Kubernetes is steady.'))
    expect(sent[0]?.edits).toEqual([{ id: 'l1', was: 'Click Save.', text: 'Click Save. Now.' }])
  })

  test('corrections without a place are forgotten on request', async () => {
    const more = {
      orphaned: [...orphaned],
      answers: { 'DELETE /api/transcript/m1/orphaned': () => ({ success: true, forgot: more.orphaned.pop() }) },
    }
    const { user } = open(more)
    await user.click(await screen.findByRole('button', { name: 'Forget it' }))
    await waitFor(() => expect(screen.queryByText(/found no place/)).toBeNull())
  })
})
