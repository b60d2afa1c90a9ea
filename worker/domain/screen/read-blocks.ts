import type { ScreenBlock } from '#contract/screen.ts'
import { applyCorrections } from '#screen/apply-corrections.ts'
import type { Context } from '#worker/core/context.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { listScreenCorrections } from './screen-corrections.ts'
import { findReading } from './screen-reading.ts'

/**
 * Reads the texts of a module's screen as they count for everyone, in order of time: corrected by its owners, and
 * without those that they have hidden. Whoever uses texts of a screen reads them here.
 */
export async function readBlocks(
  { bucket, db }: Pick<Context, 'bucket' | 'db'>,
  module: Pick<ModuleRow, 'id' | 'screenKey'>,
): Promise<ScreenBlock[]> {
  const reading = await findReading(bucket, module)
  if (reading === null || reading.blocks.length === 0) return []
  const blocks = applyCorrections(reading.blocks, await listScreenCorrections(db, module.id))
  return blocks.toSorted((left, right) => left.startMs - right.startMs)
}
