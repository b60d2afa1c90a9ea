import { useComposedRefs, useMediaAttach } from '@videojs/react'
import type { ComponentProps } from 'react'

/**
 * The element that the library's store follows. The library's own `Video` does no more, but comes with all of its
 * presets.
 */
export function AttachedVideo({ ref, ...props }: ComponentProps<'video'>) {
  const attach = useMediaAttach()
  const both = useComposedRefs<HTMLVideoElement>(ref, attach)
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- the captions are among the children, where there are any
  return <video {...props} ref={both} />
}
