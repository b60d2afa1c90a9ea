import { createContext, use } from 'react'
import { createStore } from 'zustand/vanilla'
import { Done } from '#contract/module.ts'
import type { Upload } from '#contract/upload.ts'
import * as m from '#messages'
import { ApiError } from '#web/lib/api-error.ts'
import { useStore } from '#web/lib/use-store.ts'
import { callWithRetry } from './call-with-retry.ts'
import { chooseFiles } from './choose-files.ts'
import type { KeptFiles, UploadLocks } from './kept-files.ts'
import {
  CANCELED,
  makeItem,
  makeNamedItem,
  type RunDeps,
  type RunRequest,
  type UploadItem,
  UploadRun,
} from './upload-run.ts'
import { type Attempt, readAttempt } from './upload-video.ts'

const REJECTED = {
  status: 'error',
  message: m.only_video_files(),
  detail: m.choose_video_file_type(),
} as const

const SKIPPED = { detail: m.only_first_video_taken() } as const

export interface UploadState {
  items: readonly UploadItem[]
  /** Go with the next video, or with the one that is on its way. */
  captions: File | null
  /** Whether anyone with the link can view the next video; an upload keeps what was chosen when it began. */
  isShared: boolean
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

type Begun = Partial<Pick<RunRequest, 'attempt' | 'isStored' | 'isAccepted' | 'isConverting'>>

/**
 * The files that were picked and the one upload that may be running. Lives above the pages, so an upload continues
 * whatever is on the screen.
 */
export class UploadManager {
  readonly deps: ManagerDeps
  private readonly store = createStore<UploadState>(() => NOTHING)
  private readonly endListeners = new Set<EndListener>()
  /** How far failed uploads have come, by item. */
  private readonly begun = new Map<string, Attempt & { isStored: boolean }>()
  /** Items whose file was converted here. */
  private readonly converted = new Set<string>()
  private running: UploadRun | null = null
  private unpublished: UploadItem | null = null

  constructor(deps: ManagerDeps) {
    this.deps = deps
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
    const video = chosen.video && makeItem(chosen.video)
    const skipped = chosen.skipped.map((file) => makeItem(file, SKIPPED))
    const rejected = chosen.rejected.map((file) => makeItem(file, REJECTED))
    this.store.setState({
      items: [...(video ? [video] : []), ...skipped, ...rejected],
      captions: chosen.captions ?? this.getState().captions,
    })
    if (video) void this.start(video)
  }

  setCaptions(captions: File | null): void {
    this.store.setState({ captions })
  }

  setShared(isShared: boolean): void {
    this.store.setState({ isShared })
  }

  setPaused(isPaused: boolean): void {
    this.running?.setPaused(isPaused)
  }

  /** Aborts every request and discards the upload on the server; no run starts from it afterwards. */
  cancel(): void {
    const run = this.running
    if (!run) return
    this.running = null
    run.abort.abort()
    const { item } = run.request
    const sent = this.getState().items.find(({ id }) => id === item.id)?.file
    if (sent && sent !== item.file) void this.deps.removeConverted(sent)
    this.patch(item.id, { ...CANCELED, file: item.file, sizeBytes: item.sizeBytes })
    if (run.attempt) void this.takeBack(run.attempt.moduleId)
  }

  /** Lets go of everything, and leaves on the server what has arrived. */
  stop(): void {
    this.running?.abort.abort()
    this.running = null
    this.store.setState({ items: [], captions: null, isShared: true })
  }

  retry(item: UploadItem): void {
    if (this.running) return
    const begun = this.begun.get(item.id)
    if (item.retry !== 'again' && begun) {
      return void this.start(item, { attempt: begun, isStored: begun.isStored, isAccepted: true })
    }
    if (begun) void this.takeBack(begun.moduleId)
    void this.start(item, { isAccepted: item.retry === 'anyway' })
  }

  /** Makes a video of the file that everybody can watch, and sends that. */
  convert(item: UploadItem): void {
    if (this.running) return
    void this.start(item, { attempt: this.begun.get(item.id) ?? null, isAccepted: true, isConverting: true })
  }

  /** @returns false when this is another file than the one that was on its way. */
  async continueUpload(upload: Upload, file: File): Promise<boolean> {
    const isSame =
      file.size === upload.sizeBytes &&
      (upload.fingerprint === null || (await this.deps.readFingerprint(file)) === upload.fingerprint)
    if (!isSame || this.running) return isSame
    const item = makeItem(file, { moduleId: upload.moduleId })
    this.store.setState({ items: [item] })
    // Before its first part has arrived nothing was decided that could not be decided otherwise.
    void this.start(item, { attempt: readAttempt(upload), isAccepted: upload.parts.length > 0 })
    return true
  }

  /** For an upload that arrived whole and was never confirmed: needs no file. */
  finish(upload: Upload): void {
    if (this.running) return
    const { moduleId, filename: name, sizeBytes } = upload
    const item = makeNamedItem({ file: null, name, sizeBytes, moduleId })
    this.store.setState({ items: [item] })
    void this.start(item, { attempt: readAttempt(upload), isStored: true })
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
    if (this.running) return
    this.store.setState({ items: this.getState().items.filter(({ moduleId }) => moduleId !== null), captions: null })
  }

  private async takeBack(moduleId: string): Promise<void> {
    try {
      await this.discard(moduleId)
    } catch (error) {
      // Nothing starts from it without `complete`, and the server's sweep removes uploads that are not resumed.
      console.warn('The upload could not be taken back', error)
    }
  }

  private async start(item: UploadItem, begun: Begun = {}): Promise<void> {
    let letGo = () => {}
    this.begun.delete(item.id)
    const run: UploadRun = new UploadRun(
      {
        item,
        captions: this.getState().captions,
        isShared: this.getState().isShared,
        attempt: null,
        isStored: false,
        isAccepted: false,
        isConverting: false,
        ...begun,
        onConverted: (file) => {
          this.converted.add(item.id)
          if (run.attempt) void this.deps.keptFiles.keep(run.attempt.moduleId, file)
        },
        onChange: (change) => this.running === run && this.patch(item.id, change),
        onStarted: ({ moduleId, plan }) => {
          if (this.running !== run) return void this.takeBack(moduleId)
          // What goes in one piece cannot be resumed, from here or from another tab.
          if (plan === null) return
          letGo = this.deps.locks.hold(moduleId)
          if (item.file) void this.deps.keptFiles.keep(moduleId, item.file)
        },
      },
      this.deps,
    )
    this.running = run
    const change = await run.play()
    letGo()
    // Canceled meanwhile: the list already says so, and another upload may be running.
    if (this.running !== run) return
    this.running = null
    this.end(run, item.id, change)
  }

  private end({ attempt, isStored }: UploadRun, itemId: string, change: Partial<UploadItem>): void {
    this.patch(itemId, change)
    if (change.status !== 'done' && attempt) this.begun.set(itemId, { ...attempt, isStored })
    if (change.status === 'done') {
      this.store.setState({ captions: null })
      const sent = this.getState().items.find(({ id }) => id === itemId)?.file
      if (sent && this.converted.has(itemId)) void this.deps.removeConverted(sent)
      if (attempt?.plan) void this.deps.keptFiles.forget(attempt.moduleId)
    }
    const ended = this.getState().items.find(({ id }) => id === itemId)
    if (!ended || ended.status === 'idle') return
    if (this.endListeners.size === 0) this.unpublished = ended
    for (const listener of this.endListeners) listener(ended, 'now')
  }

  private patch(id: string, change: Partial<UploadItem>): void {
    this.store.setState({
      items: this.getState().items.map((item) => (item.id === id ? { ...item, ...change } : item)),
    })
  }
}

/** Null where nothing can be uploaded (the share page). */
export const UploadContext = createContext<UploadManager | null>(null)

const NOTHING: UploadState = { items: [], captions: null, isShared: true, gone: [] }
const NO_UPLOADS = createStore(() => NOTHING)

export function useUploadState(): UploadState {
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
  return useUploadState().items.find((item) => item.moduleId === moduleId) ?? null
}
