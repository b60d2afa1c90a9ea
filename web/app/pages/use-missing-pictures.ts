import { type RefObject, useState } from 'react'
import type { PlayerHandle } from '#web/features/player/player-handle.ts'
import { MissingPictures } from '#web/features/training/missing-pictures.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { useApi } from '#web/lib/api-context.tsx'

async function isThere(url: string): Promise<boolean> {
  return (await fetch(url)).ok
}

/** Makes an owner's missing pictures. @returns a function to call with the time at which the video stands */
export function useMissingPictures(
  module: LoadedModule,
  player: RefObject<PlayerHandle | null>,
): (seconds: number) => void {
  const callApi = useApi()
  const [pictures] = useState(
    () =>
      new MissingPictures({
        callApi,
        draw: async (maxWidthPx) => (await player.current?.drawFrame(maxWidthPx)) ?? null,
        isThere,
      }),
  )
  return (seconds) => {
    if (module.role === 'owner') void pictures.note(seconds, module)
  }
}
