import type { ScreenBlock } from '#contract/screen.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { findReading } from './screen-reading.ts'

/** Reads the texts of a module's screen as they count for everyone, in order of time. */
export async function readScreen(
  { bucket }: { bucket: R2Bucket },
  module: Pick<ModuleRow, 'screenKey'>,
): Promise<ScreenBlock[]> {
  const reading = await findReading(bucket, module)
  return (reading?.blocks ?? []).toSorted((left, right) => left.startMs - right.startMs)
}
