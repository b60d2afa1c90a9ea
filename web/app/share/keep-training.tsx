import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { sharePath } from '#contract/share-page.ts'
import * as m from '#messages'
import { canKeep, findCopy, KEPT_SCOPES, measureStorage, removeCopy, withCopy } from '#web/features/kept/kept-copy.ts'
import { listChoices } from '#web/features/kept/list-choices.ts'
import { type CopyOptions, keepList, makeCopy, refreshCopy } from '#web/features/kept/make-copy.ts'
import { type CopyPlan, KeepError, loadPage, planCopy } from '#web/features/kept/plan-copy.ts'
import { formatBytes } from '#web/lib/format/format-bytes.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Progress, Spinner } from '#web/ui/loading.tsx'
// oxlint-disable-next-line import/default -- the bundler gives the address of the file
import workerPath from '../../kept-worker.ts?worker&url'
import { issueLearner } from './issue-learner.ts'
import { readPageAddress } from './share-store.ts'

const { moduleId } = readPageAddress(window.location.pathname)
const path = sharePath(moduleId)
/** `kept` says whether the training is on this device, and whether this page is the copy (web/kept-worker.ts). */
const { dataset } = document.documentElement

if (dataset['kept'] === 'copy') watchCopy()

/** Opens the dialog that keeps this page's training on the device. */
export function openKeep(): void {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  function close() {
    root.unmount()
    place.remove()
    document.querySelector<HTMLElement>(dataset['kept'] === undefined ? '#keep' : 'a[href="/kept"]')?.focus()
  }
  root.render(<KeepDialog onClose={close} />)
}

/** Without it the copy cannot be opened. */
async function startWorker(): Promise<void> {
  try {
    await Promise.all(KEPT_SCOPES.map((scope) => navigator.serviceWorker.register(workerPath, { scope })))
    await navigator.serviceWorker.ready
  } catch (cause) {
    await withCopy(path, () => removeCopy(path))
    throw new KeepError('failed', { cause })
  }
}

type KeepState =
  | { kind: 'measuring' }
  | { kind: 'asking'; plan: CopyPlan; freeBytes: number }
  | { kind: 'keeping'; bytes: number; ofBytes: number }
  | { kind: 'kept' }
  | { kind: 'failed'; message: string; mayRetry: boolean }

const NO_BROWSER = m.this_browser_cannot_keep_trainings()

const FAILURES: Record<KeepError['reason'], string> = {
  full: m.the_storage_of_this_browser(),
  gone: m.this_training_is_not_shared(),
  failed: m.the_training_could_not_be(),
}

/** Asks, keeps and says how it went. What is not complete when the dialog closes is gone. */
function useKeeping() {
  const [state, setState] = useState<KeepState>({ kind: 'measuring' })
  const [over] = useState(() => new AbortController())
  const { signal } = over

  function show(next: KeepState) {
    if (!signal.aborted) setState(next)
  }
  function fail(error: unknown) {
    if (signal.aborted) return
    const reason = error instanceof KeepError ? error.reason : 'failed'
    if (reason === 'failed') console.warn('The training was not kept', error)
    show({ kind: 'failed', message: FAILURES[reason], mayRetry: reason !== 'gone' })
  }
  async function measure() {
    if (!canKeep()) return show({ kind: 'failed', message: NO_BROWSER, mayRetry: false })
    show({ kind: 'measuring' })
    try {
      const plan = await planCopy(path, await loadPage(path))
      show({ kind: 'asking', plan, freeBytes: (await measureStorage())?.freeBytes ?? Number.POSITIVE_INFINITY })
    } catch (error) {
      fail(error)
    }
  }
  async function keep(plan: CopyPlan, video: Choice) {
    const ofBytes = sizeOf(plan, video)
    const onProgress = (bytes: number) => show({ kind: 'keeping', bytes, ofBytes })
    onProgress(0)
    try {
      await makeCopy(plan, { video, signal, onProgress })
      await startWorker()
      dataset['kept'] = 'kept'
      await Promise.all([issueLearner(moduleId), keepList()])
    } catch (error) {
      return fail(error)
    }
    show({ kind: 'kept' })
    // A browser that grants it deletes nothing of this by itself.
    await navigator.storage?.persist?.()
  }
  useEffect(() => {
    void measure()
    return () => over.abort(new DOMException('The dialog was closed', 'AbortError'))
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the dialog opens
  }, [])
  return { state, measure, keep }
}

type Choice = CopyOptions['video']

function sizeOf({ sizeBytes, videos }: CopyPlan, choice: Choice): number {
  return sizeBytes + (choice === 'none' ? 0 : (videos[choice]?.sizeBytes ?? 0))
}

function nameChoice(choice: Choice, size: string): string {
  if (choice === 'small') return m.with_small_video_about({ size })
  return choice === 'original' ? m.with_video_about({ size }) : m.without_video_about({ size })
}

const DETAILS: Record<Choice, string> = {
  small: m.smaller_picture_for_phones(),
  original: m.plays_as_it_does_online(),
  none: m.steps_images_and_captions(),
}

function KeepDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const { state, measure, keep } = useKeeping()
  useEffect(() => dialog.current?.showModal(), [])
  const close = () => dialog.current?.close()
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-md overflow-y-auto rounded-panel border border-line bg-raised p-5 text-ink shadow-float backdrop:bg-scrim sm:p-6"
    >
      <h2 id={id} className="text-lg leading-snug font-semibold">
        {state.kind === 'kept' ? m.kept_on_this_phone() : m.keep_on_this_phone()}
      </h2>
      <div className="mt-3 grid gap-5 text-sm text-ink-soft">
        {state.kind === 'measuring' && <Measuring onCancel={close} />}
        {state.kind === 'asking' && <AskForm {...state} onKeep={keep} onCancel={close} />}
        {state.kind === 'keeping' && <Keeping {...state} onCancel={close} />}
        {state.kind === 'kept' && <Kept onClose={close} />}
        {state.kind === 'failed' && (
          <>
            <p role="alert">{state.message}</p>
            <Actions>
              <Button variant="secondary" onClick={close}>
                {m.close()}
              </Button>
              {state.mayRetry && <Button onClick={measure}>{m.try_again()}</Button>}
            </Actions>
          </>
        )}
      </div>
    </dialog>
  )
}

function Measuring({ onCancel }: { onCancel: () => void }) {
  return (
    <>
      <p role="status" className="flex items-center gap-3">
        <Spinner className="size-5" />
        {m.checking_how_much_there_is()}
      </p>
      <Actions>
        <Button variant="secondary" onClick={onCancel}>
          {m.cancel()}
        </Button>
      </Actions>
    </>
  )
}

function Actions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-3">{children}</div>
}

interface AskFormProps {
  plan: CopyPlan
  freeBytes: number
  onKeep: (plan: CopyPlan, video: Choice) => void
  onCancel: () => void
}

/** With the video or without, after the size of both is known. */
function AskForm({ plan, freeBytes, onKeep, onCancel }: AskFormProps) {
  const hasRoom = (choice: Choice) => sizeOf(plan, choice) < freeBytes
  const choices = listChoices(plan)
  const [chosen, choose] = useState(choices.find(hasRoom) ?? 'none')
  return (
    <>
      <p>{m.it_then_opens_by_the()}</p>
      <fieldset className="grid gap-2">
        <legend className="sr-only">{m.what_to_keep()}</legend>
        {choices.map((choice) => (
          <label
            key={choice}
            className="flex items-start gap-3 rounded-control border border-line p-3 has-checked:border-brand has-checked:bg-brand-soft has-disabled:opacity-55"
          >
            <input
              type="radio"
              name="what"
              className="mt-0.5 size-5 shrink-0 accent-brand"
              checked={chosen === choice}
              disabled={!hasRoom(choice)}
              onChange={() => choose(choice)}
            />
            <span className="min-w-0 font-medium text-ink">
              {nameChoice(choice, formatBytes(sizeOf(plan, choice)))}
              <span className="block font-normal text-ink-soft">
                {hasRoom(choice)
                  ? DETAILS[choice]
                  : m.there_is_room_for_freebytes({ freeBytes: formatBytes(freeBytes) })}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <Actions>
        <Button variant="secondary" onClick={onCancel}>
          {m.cancel()}
        </Button>
        <Button aria-disabled={!hasRoom(chosen)} onClick={() => hasRoom(chosen) && onKeep(plan, chosen)}>
          {m.keep()}
        </Button>
      </Actions>
    </>
  )
}

function Keeping({ bytes, ofBytes, onCancel }: { bytes: number; ofBytes: number; onCancel: () => void }) {
  // What is estimated may be too little.
  const percent = Math.min(99, Math.floor((bytes * 100) / ofBytes))
  return (
    <>
      <div>
        <p className="mb-2 flex justify-between gap-3 tabular-nums">
          <span>{percent}%</span>
          <span>{m.bytes_of_about_ofbytes({ bytes: formatBytes(bytes), ofBytes: formatBytes(ofBytes) })}</span>
        </p>
        <Progress value={percent} label={m.keeping_the_training()} />
      </div>
      <p>{m.leave_this_page_open_until()}</p>
      <Actions>
        <Button variant="secondary" onClick={onCancel}>
          {m.cancel()}
        </Button>
      </Actions>
    </>
  )
}

function Kept({ onClose }: { onClose: () => void }) {
  return (
    <>
      <p role="status">{m.without_a_network_open_the()}</p>
      <Actions>
        <a href="/kept" className={buttonClass({ variant: 'secondary' })}>
          {m.all_kept_trainings()}
        </a>
        <Button onClick={onClose}>{m.done_state()}</Button>
      </Actions>
    </>
  )
}

/** This page is the copy: once the network is back, it is compared with what the server has. */
function watchCopy(): void {
  const text = document.getElementById('kept-text')
  async function compare() {
    const copy = await findCopy(path)
    // Another tab has removed it; this page is complete without it.
    if (copy === null) return
    const outcome = await refreshCopy(copy)
    // The service worker removes the copy and says so.
    if (outcome === 'gone') window.location.reload()
    if (text === null || outcome === 'unreachable' || outcome === 'gone') return
    window.removeEventListener('online', compare)
    if (outcome === 'same') text.textContent = m.the_network_is_back_and()
    else text.replaceChildren(m.the_network_is_back_and_the(), ' ', makeReloadLink())
  }
  window.addEventListener('online', compare)
  if (navigator.onLine) void compare()
}

function makeReloadLink(): HTMLAnchorElement {
  return Object.assign(document.createElement('a'), {
    href: window.location.pathname,
    textContent: m.show_the_new_version(),
    className: 'font-medium underline',
  })
}
