import type { ScreenBlock, ScreenReading } from '#contract/screen.ts'
import { applyCorrections } from '#screen/apply-corrections.ts'
import type { Context } from '#worker/core/context.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { listScreenCorrections } from './screen-corrections.ts'
import { findReading } from './screen-reading.ts'

/**
 * Reads what was read of a module's screen as it counts for everyone, in order of time: corrected by its owners, and
 * without the texts that they have hidden. Whoever uses texts of a screen reads them here. Null before anything was read.
 */
export async function readCorrected(
  { bucket, db }: Pick<Context, 'bucket' | 'db'>,
  module: Pick<ModuleRow, 'id' | 'screenKey'>,
): Promise<ScreenReading | null> {
  const reading = await findReading(bucket, module)
  if (reading === null || reading.blocks.length === 0) return reading
  const blocks = applyCorrections(reading.blocks, await listScreenCorrections(db, module.id))
  return { ...reading, blocks: blocks.toSorted((left, right) => left.startMs - right.startMs) }
}

/** Reads the texts of {@link readCorrected}. */
export async function readScreen(
  context: Pick<Context, 'bucket' | 'db'>,
  module: Pick<ModuleRow, 'id' | 'screenKey'>,
): Promise<ScreenBlock[]> {
  return (await readCorrected(context, module))?.blocks ?? []
}
