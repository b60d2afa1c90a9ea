import type { Part } from './zoom-view.ts'

/** Asks a player to show a part of the picture, its `detail`, or with null the whole. */
export const LOOK_EVENT = 'adapt-look'

/** Lets the player of a video show a part of the picture, or with null the whole. The viewer can leave it at any time. */
export function lookAt(video: HTMLVideoElement, part: Part | null): void {
  video.closest('.player')?.dispatchEvent(new CustomEvent(LOOK_EVENT, { detail: part }))
}
