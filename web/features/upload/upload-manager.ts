import { createContext, use } from 'react'
import { createStore } from 'zustand/vanilla'
import { Done } from '#contract/module.ts'
import type { Upload } from '#contract/upload.ts'
import * as m from '#messages'
import { ApiError } from '#web/lib/api-error.ts'
import { listen } from '#web/lib/browser-state.ts'
import { useStore } from '#web/lib/use-store.ts'
import { callWithRetry } from './call-with-retry.ts'
import { CaptionGate } from './caption-gate.ts'
import { chooseFiles, isUnnamed } from './choose-files.ts'
import type { KeptFiles, UploadLocks } from './kept-files.ts'
import { makeItem, moveUpload, nextTryOf, type UploadEvent, type UploadItem, type UploadState } from './upload-item.ts'
import { type RunDeps, type UploadOrder, UploadRun } from './upload-run.ts'
import { readAttempt } from './upload-video.ts'

const REJECTED: UploadState = {
  kind: 'failed',
  message: m.only_video_files(),
  detail: m.choose_video_file_type(),
  next: 'none',
  canConvert: false,
}

/** Its content is looked into once a person says that it is a video. */
const UNNAMED: UploadState = {
  kind: 'doubtful',
  message: m.only_video_files(),
  detail: m.name_says_no_video(),
  canConvert: false,
}

const SKIPPED: UploadState = { kind: 'idle', detail: m.only_first_video_taken() }

const WAITING: UploadState = { kind: 'idle', detail: m.begins_when_captions_checked() }

/** How long a video lasts; what else is wrong with the file is found when its upload begins. */
async function measureVideo(file: File, { inspectVideo }: ManagerDeps): Promise<number | null> {
  try {
    return (await inspectVideo(file)).durationMs
  } catch (error) {
    console.warn('The length of the video cannot be told before its upload', error)
    return null
  }
}

export interface Uploads {
  items: readonly UploadItem[]
  /** Go with the next video, or with the one that is on its way. */
  captions: File | null
  /** Whether anyone with the link can view the next video; an upload keeps what was chosen when it began. */
  isShared: boolean
  /** The training of which the next video is a new recording; null for a training of its own. */
  replaces: string | null
  /** How fast the last or running upload is; null before one, and once the connection may be another. */
  bytesPerSecond: number | null
  /** Modules whose upload was cancelled here; the server may take a moment to remove them. */
  gone: readonly string[]
}

export interface ManagerDeps extends RunDeps {
  keptFiles: KeptFiles
  locks: UploadLocks
  /** Removes a file that was converted from the browser's storage. */
  removeConverted: (file: File) => Promise<void>
}

type EndListener = (item: UploadItem, when: 'now' | 'earlier') => void

/**
 * The files that were picked and the one upload that may be running. Lives above the pages, so an upload continues
 * whatever is on the screen.
 */
export class UploadManager {
  readonly deps: ManagerDeps
  private readonly store = createStore<Uploads>(() => NOTHING)
  /** Has the captions checked before a video goes with them. */
  readonly gate: CaptionGate
  private readonly endListeners = new Set<EndListener>()
  private running: UploadRun | null = null
  private unpublished: UploadItem | null = null

  constructor(deps: ManagerDeps) {
    this.deps = deps
    this.gate = new CaptionGate({ callApi: deps.callApi, measureVideo: (file) => measureVideo(file, deps) })
    // What comes after may be another connection.
    listen(window, { offline: () => this.store.setState({ bytesPerSecond: null }) })
  }

  readonly getState = this.store.getState
  readonly subscribe = this.store.subscribe

  /**
   * Subscribes to uploads that are done or have failed, also to one that ended before there was a listener. A canceled
   * upload is not published.
   */
  onEnd(listener: EndListener): () => void {
    this.endListeners.add(listener)
    if (this.unpublished) listener(this.unpublished, 'earlier')
    this.unpublished = null
    return () => this.endListeners.delete(listener)
  }

  get isBusy(): boolean {
    return this.running !== null
  }

  addFiles(files: readonly File[]): void {
    if (this.running || files.length === 0) return
    const chosen = chooseFiles(files)
    const { items, captions: before, replaces } = this.getState()
    const video = chosen.video && { ...makeItem(chosen.video), replaces }
    const skipped = chosen.skipped.map((file) => makeItem(file, SKIPPED))
    const rejected = chosen.rejected.map((file) => ({
      ...makeItem(file, isUnnamed(file) ? UNNAMED : REJECTED),
      replaces,
    }))
    const captions = chosen.captions ?? before
    // It goes with the captions that have just been chosen.
    const waiting = items.filter(({ state }) => state === WAITING)
    this.store.setState({ items: [...(video ? [video] : waiting), ...skipped, ...rejected], captions })
    if (video) void this.start(video, 'checked')
    else if (chosen.captions) this.setCaptions(captions)
  }

  setCaptions(captions: File | null): void {
    this.store.setState({ captions })
    this.gate.setCaptions(captions)
  }

  setShared(isShared: boolean): void {
    this.store.setState({ isShared })
  }

  setReplaces(replaces: string | null): void {
    this.store.setState({ replaces })
  }

  setPaused(isPaused: boolean): void {
    this.running?.setPaused(isPaused)
  }

  /** Aborts every request and discards the upload on the server; no run starts from it afterwards. */
  cancel(): void {
    const run = this.running
    const item = run && this.find(run.request.item.id)
    if (!run || !item || moveUpload(item, { type: 'cancel' }) === item) return
    this.running = null
    run.abort.abort()
    if (item.file && item.file !== item.picked) void this.deps.removeConverted(item.file)
    this.move(item.id, { type: 'cancel' })
    if (item.attempt) void this.discardQuietly(item.attempt.moduleId)
  }

  /** Lets go of everything, and leaves on the server what has arrived. */
  stop(): void {
    this.running?.abort.abort()
    this.running = null
    this.gate.clear()
    this.store.setState({ items: [], captions: null, isShared: true, replaces: null })
  }

  retry(item: UploadItem): void {
    if (this.running) return
    const next = nextTryOf(item.state)
    if (next === 'confirm') return void this.start(item, 'confirmed')
    if (item.state === UNNAMED) return void this.start(item, 'checked')
    if (next !== 'again') return void this.start(item, 'accepted')
    if (item.attempt) void this.discardQuietly(item.attempt.moduleId)
    void this.start({ ...item, attempt: null }, 'checked')
  }

  /** Makes a video of the file that everybody can watch, and sends that. */
  convert(item: UploadItem): void {
    if (!this.running) void this.start(item, 'converted')
  }

  /** @returns false when this is another file than the one that was on its way. */
  async continueUpload(upload: Upload, file: File): Promise<boolean> {
    const isSame =
      file.size === upload.sizeBytes &&
      (upload.fingerprint === null || (await this.deps.readFingerprint(file)) === upload.fingerprint)
    if (!isSame || this.running) return isSame
    const item = { ...makeItem(file), attempt: readAttempt(upload) }
    this.store.setState({ items: [item] })
    // Before its first part has arrived nothing was decided that could not be decided otherwise.
    void this.start(item, upload.parts.length > 0 ? 'accepted' : 'checked')
    return true
  }

  /** For an upload that arrived whole and was never confirmed: needs no file. */
  finish(upload: Upload): void {
    if (this.running) return
    const { filename: name, sizeBytes } = upload
    const blank = { ...makeItem(new File([], name)), picked: null, file: null }
    const item = { ...blank, sizeBytes, attempt: readAttempt(upload) }
    this.store.setState({ items: [item] })
    void this.start(item, 'confirmed')
  }

  async discard(moduleId: string): Promise<void> {
    this.store.setState({ gone: [...this.getState().gone, moduleId] })
    const path = `/api/upload/${encodeURIComponent(moduleId)}`
    const call = () => this.deps.callApi({ path, method: 'DELETE', schema: Done })
    try {
      await callWithRetry(call, this.deps.timing)
    } catch (error) {
      // Already gone is what was wanted.
      if (!(error instanceof ApiError) || error.status !== 404) {
        this.store.setState({ gone: this.getState().gone.filter((id) => id !== moduleId) })
        throw error
      }
    }
    await this.deps.keptFiles.forget(moduleId)
  }

  /** Drops what has ended without leaving anything to do. */
  tidy(): void {
    if (this.running || this.gate.isHolding) return
    this.gate.clear()
    this.store.setState({ items: this.getState().items.filter(({ attempt }) => attempt !== null), captions: null })
  }

  private async discardQuietly(moduleId: string): Promise<void> {
    try {
      await this.discard(moduleId)
    } catch (error) {
      // Nothing starts from it without `complete`, and the server's sweep removes uploads that are not resumed.
      console.warn('The upload could not be taken back', error)
    }
  }

  private async start(item: UploadItem, order: UploadOrder): Promise<void> {
    const { captions, isShared } = this.getState()
    const begin = () => void this.start(item, order)
    if (order === 'confirmed') this.gate.drop()
    else if (!this.gate.pass(item.file, captions, begin)) {
      this.replace(item.id, () => ({ ...item, state: WAITING }))
      return
    }
    const { keptFiles, locks } = this.deps
    let letGo = () => {}
    const run: UploadRun = new UploadRun(
      {
        item,
        order,
        captions,
        captionChoices: this.gate.check.getState()?.choices ?? {},
        isShared,
        replaces: item.replaces,
        onEvent: (event) => {
          if (this.running !== run) return
          this.move(item.id, event)
          const rate = event.type === 'send' ? event.transfer.bytesPerSecond : null
          if (rate) this.store.setState({ bytesPerSecond: rate })
          const moduleId = this.find(item.id)?.attempt?.moduleId
          if (event.type === 'replace-file' && moduleId) void keptFiles.keep(moduleId, event.file)
        },
        onRegistered: ({ moduleId, plan }) => {
          if (this.running !== run) return void this.discardQuietly(moduleId)
          // What goes in one piece cannot be resumed, from here or from another tab.
          if (plan === null) return
          letGo = locks.hold(moduleId)
          if (item.file) void keptFiles.keep(moduleId, item.file)
        },
      },
      this.deps,
    )
    this.running = run
    this.replace(item.id, () => item)
    const end = await run.play()
    letGo()
    // Canceled meanwhile: the list already says so, and another upload may be running.
    if (this.running !== run) return
    this.running = null
    this.move(item.id, end)
    const ended = this.find(item.id)
    if (ended) this.publish(ended, run)
  }

  private publish(item: UploadItem, { images }: UploadRun): void {
    const { state, file, picked, attempt } = item
    if (state.kind === 'done') {
      this.setCaptions(null)
      if (file && file !== picked) void images.then(() => this.deps.removeConverted(file))
      if (attempt?.plan) void this.deps.keptFiles.forget(attempt.moduleId)
    }
    if (state.kind !== 'done' && state.kind !== 'failed') return
    if (this.endListeners.size === 0) this.unpublished = item
    for (const listener of this.endListeners) listener(item, 'now')
  }

  private find(itemId: string): UploadItem | undefined {
    return this.getState().items.find(({ id }) => id === itemId)
  }

  private move(itemId: string, event: UploadEvent): void {
    this.replace(itemId, (item) => moveUpload(item, event))
  }

  private replace(itemId: string, change: (item: UploadItem) => UploadItem): void {
    this.store.setState({ items: this.getState().items.map((item) => (item.id === itemId ? change(item) : item)) })
  }
}

/** Null where nothing can be uploaded (the share page). */
export const UploadContext = createContext<UploadManager | null>(null)

const NOTHING: Uploads = {
  items: [],
  captions: null,
  isShared: true,
  replaces: null,
  bytesPerSecond: null,
  gone: [],
}
const NO_UPLOADS = createStore(() => NOTHING)

export function useUploads(): Uploads {
  return useStore(use(UploadContext) ?? NO_UPLOADS)
}

export function useUploadManager(): UploadManager {
  const manager = use(UploadContext)
  // not-shown: for developers.
  if (!manager) throw new Error('UploadContext is missing')
  return manager
}

/** What this tab is sending or has just sent for a module. */
export function useUploadOf(moduleId: string): UploadItem | null {
  return useUploads().items.find(({ attempt }) => attempt?.moduleId === moduleId) ?? null
}
