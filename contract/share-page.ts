import type { SharedModule } from './share.ts'

/** Id of the element of the share page's HTML that holds {@link SharePageData} as JSON. */
export const SHARE_DATA_ID = 'share-data'

/** What the HTML of a share page brings along, so that nothing has to be fetched before it is drawn. */
export interface SharePageData {
  /** Null when there is none to show: `status` says why. */
  module: SharedModule | null
  /** 200, 403 for a link that needs its password, 404 for one that leads nowhere, 410, 503 when it could not be read. */
  status: number
  /** Why nothing is shown any more, with status 410. */
  closed?: 'link_ended' | 'link_replaced'
  /** `embed` inside a page of another site. */
  look: 'page' | 'embed'
}

/** Path of the page of a shared module. */
export function sharePath(moduleId: string): string {
  return `/share/${encodeURIComponent(moduleId)}`
}

/** What stands in the address of a link, by the path of its page. */
export function linkIdIn(shareUrl: string): string {
  return decodeURIComponent(shareUrl.slice(sharePath('').length))
}

/** Path of a shared module's video: the same for everyone, so that it can be cached close to them. */
export function sharedVideoPath(moduleId: string): string {
  return `${sharePath(moduleId)}/video`
}

/** Address of the small copy of a video, beside the video's own, with whatever that has behind its path. */
export function smallVideoPath(videoPath: string): string {
  return videoPath.replace(/\/video(?=$|[?#])/, '/video/small')
}

/** Path of an image of a shared module. */
export function sharedImagePath(moduleId: string, name: string): string {
  return `${sharePath(moduleId)}/images/${name}`
}

/** Path of a shared module's poster. */
export function sharedPosterPath(moduleId: string): string {
  return sharedImagePath(moduleId, 'poster')
}

/**
 * What anyone with the link may take along: the steps as Markdown, and as chapters and captions for other players.
 * Captions are there once the transcript is complete.
 */
export const SHARED_FILES = ['steps.md', 'chapters.vtt', 'captions.vtt', 'captions.srt'] as const
/** Name of such a file. */
export type SharedFile = (typeof SHARED_FILES)[number]

/** Path of a file of a shared module. @param language of its translation; null for the original */
export function sharedFilePath(moduleId: string, name: SharedFile, language: string | null = null): string {
  return `${sharePath(moduleId)}/${name}${inLanguage(language)}`
}

/** The query of an address that asks for a language, empty for null. */
export function inLanguage(language: string | null): string {
  return language === null ? '' : `?lang=${language}`
}

/** Path of the page that a shared module is printed from. */
export function printPath(moduleId: string): string {
  return `${sharePath(moduleId)}/print`
}

/** Path of the page of a shared collection. */
export function collectionPath(collectionId: string): string {
  return `/share/c/${encodeURIComponent(collectionId)}`
}

/** Path of what a shared collection has for the words in `q`, as a part of its page. */
export function foundPath(collectionId: string): string {
  return `${collectionPath(collectionId)}/found`
}

/** Path at which a model is asked about a shared collection. */
export function askCollectionPath(collectionId: string): string {
  return `/api/share/c/${encodeURIComponent(collectionId)}/questions`
}

/** Path of the page of a shared module that leads back to a collection. */
export function sharePathFrom(collectionId: string, moduleId: string): string {
  return `${sharePath(moduleId)}?collection=${encodeURIComponent(collectionId)}`
}

/** Path of the page that lists what a device keeps. */
export const KEPT_PATH = '/kept'

/** Path of everybody's own page, which a device keeps too. */
export const OWN_PATH = '/my'

/** Path of the script that answers for what a device keeps (web/kept-worker.ts). */
export const KEPT_WORKER_PATH = '/kept-worker.js'

/** Path of the page that other sites show in a frame. */
export function embedPath(moduleId: string): string {
  return `/embed/${encodeURIComponent(moduleId)}`
}
