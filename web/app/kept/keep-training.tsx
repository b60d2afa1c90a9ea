import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { KEPT_PATH, sharePath } from '#contract/share-page.ts'
import { canKeep, findCopy, measureStorage, removeCopy, withCopy } from '#web/features/kept/kept-copy.ts'
import { keepList, makeCopy, refreshCopy } from '#web/features/kept/make-copy.ts'
import { type CopyPlan, KeepError, loadPage, planCopy } from '#web/features/kept/plan-copy.ts'
import { formatBytes } from '#web/lib/format-bytes.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Progress, Spinner } from '#web/ui/loading.tsx'
// oxlint-disable-next-line import/default -- the bundler gives the address of the file
import workerPath from '../../kept-worker.ts?worker&url'
import { readPageAddress } from '../share/share-store.ts'

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

/** The address that each script of its folder may control pages below (Service Workers, "scope"). */
const SCOPES = ['/share/', KEPT_PATH]

/** Without it the copy cannot be opened. */
async function startWorker(): Promise<void> {
  try {
    await Promise.all(SCOPES.map((scope) => navigator.serviceWorker.register(workerPath, { scope })))
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

const NO_BROWSER =
  'This browser cannot keep trainings. A private window, or the browser inside another app, often cannot.'

const FAILURES: Record<KeepError['reason'], string> = {
  full: 'The storage of this browser is full, so nothing was kept. Remove trainings that you do not need, or keep this one without its video.',
  gone: 'This training is not shared any more, so it cannot be kept.',
  failed: 'The training could not be loaded completely, so nothing was kept. Check your connection.',
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
  async function keep(plan: CopyPlan, withVideo: boolean) {
    const ofBytes = sizeOf(plan, withVideo)
    const onProgress = (bytes: number) => show({ kind: 'keeping', bytes, ofBytes })
    onProgress(0)
    try {
      const { issueLearner } = await import('../share/shared-learning-log.ts')
      await makeCopy(plan, { withVideo, signal, onProgress })
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

function sizeOf({ sizeBytes, video }: CopyPlan, withVideo: boolean): number {
  return sizeBytes + (withVideo && video !== null ? video.sizeBytes : 0)
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
        {state.kind === 'kept' ? 'Kept on this phone' : 'Keep on this phone'}
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
                Close
              </Button>
              {state.mayRetry && <Button onClick={measure}>Try again</Button>}
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
        Checking how much there is to keep
      </p>
      <Actions>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
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
  onKeep: (plan: CopyPlan, withVideo: boolean) => void
  onCancel: () => void
}

/** With the video or without, after the size of both is known. */
function AskForm({ plan, freeBytes, onKeep, onCancel }: AskFormProps) {
  const hasRoom = (withVideo: boolean) => sizeOf(plan, withVideo) < freeBytes
  const mayTakeVideo = plan.video !== null && hasRoom(true)
  const [withVideo, setWithVideo] = useState(mayTakeVideo)
  const choices = plan.video === null ? [false] : [true, false]
  return (
    <>
      <p>It then opens by the same link or code, also without a network.</p>
      <fieldset className="grid gap-2">
        <legend className="sr-only">What to keep</legend>
        {choices.map((isWith) => (
          <label
            key={String(isWith)}
            className="flex items-start gap-3 rounded-control border border-line p-3 has-checked:border-brand has-checked:bg-brand-soft has-disabled:opacity-55"
          >
            <input
              type="radio"
              name="what"
              className="mt-0.5 size-5 shrink-0 accent-brand"
              checked={withVideo === isWith}
              disabled={!hasRoom(isWith)}
              onChange={() => setWithVideo(isWith)}
            />
            <span className="min-w-0 font-medium text-ink">
              {isWith ? 'With the video' : 'Without the video'} · about {formatBytes(sizeOf(plan, isWith))}
              <span className="block font-normal text-ink-soft">
                {!hasRoom(isWith)
                  ? `There is room for ${formatBytes(freeBytes)} only.`
                  : isWith
                    ? 'Plays as it does online.'
                    : 'Steps, images and captions.'}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <Actions>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button aria-disabled={!hasRoom(withVideo)} onClick={() => hasRoom(withVideo) && onKeep(plan, withVideo)}>
          Keep
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
          <span>
            {formatBytes(bytes)} of about {formatBytes(ofBytes)}
          </span>
        </p>
        <Progress value={percent} label="Keeping the training" />
      </div>
      <p>Leave this page open until it is done.</p>
      <Actions>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </Actions>
    </>
  )
}

function Kept({ onClose }: { onClose: () => void }) {
  return (
    <>
      <p role="status">
        Without a network, open the same link or code. The copy is updated when you open it online, and removed when the
        training is not shared any more.
      </p>
      <Actions>
        <a href="/kept" className={buttonClass({ variant: 'secondary' })}>
          All kept trainings
        </a>
        <Button onClick={onClose}>Done</Button>
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
    const news = await refreshCopy(copy)
    // The service worker removes the copy and says so.
    if (news === 'gone') window.location.reload()
    if (text === null || news === 'unreachable' || news === 'gone') return
    window.removeEventListener('online', compare)
    if (news === 'same') text.textContent = 'The network is back, and this copy is up to date.'
    else text.replaceChildren('The network is back, and the copy was updated. ', makeReloadLink())
  }
  window.addEventListener('online', compare)
  if (navigator.onLine) void compare()
}

function makeReloadLink(): HTMLAnchorElement {
  return Object.assign(document.createElement('a'), {
    href: window.location.pathname,
    textContent: 'Show the new version',
    className: 'font-medium underline',
  })
}
