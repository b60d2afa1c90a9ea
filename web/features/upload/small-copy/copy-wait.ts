import * as m from '#messages'

/** What keeps a copy from being made for now: somebody who watches, an upload, what is to be spared, or a copy of another tab. */
export type CopyWait = 'video' | 'upload' | 'sparing' | 'tab'

export function sayWait(wait: CopyWait): string {
  if (wait === 'video') return m.small_copy_waits_for_video()
  if (wait === 'upload') return m.small_copy_waits_for_upload()
  return wait === 'sparing' ? m.small_copy_waits_to_spare() : m.small_copy_waits_for_tab()
}
