import { type RefObject, useState } from 'react'
import type { PlayerHandle } from '#web/features/player/player-handle.ts'
import { MissingImages } from '#web/features/training/missing-images.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { useApi } from '#web/lib/api-context.tsx'

async function isThere(url: string): Promise<boolean> {
  return (await fetch(url)).ok
}

/** Makes an owner's missing images. @returns a function to call with the time at which the video stands */
export function useMissingImages(
  module: LoadedModule,
  player: RefObject<PlayerHandle | null>,
): (seconds: number) => void {
  const callApi = useApi()
  const [images] = useState(
    () =>
      new MissingImages({
        callApi,
        draw: async (maxWidthPx) => (await player.current?.drawFrame(maxWidthPx)) ?? null,
        isThere,
      }),
  )
  return (seconds) => {
    if (module.role === 'owner') void images.note(seconds, module)
  }
}
