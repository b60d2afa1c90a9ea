import { canShowPicture } from '#web/lib/can-show-picture.ts'
import type { CopyOptions } from './make-copy.ts'
import type { CopyPlan } from './plan-copy.ts'

/** What can be kept, the best for a phone first. Without a network, a picture that this browser does not show helps nobody. */
export function listChoices({
  videos: { original, small },
  videoCodec,
}: Pick<CopyPlan, 'videos' | 'videoCodec'>): CopyOptions['video'][] {
  const isUseless = small !== null && !canShowPicture(videoCodec)
  const choices = [small && ('small' as const), isUseless ? null : original && ('original' as const), 'none' as const]
  return choices.filter((each) => each !== null)
}
