import type { DeletedModule } from '#contract/deleted-module.ts'
import { type DeletedRow, RESTORABLE_MS } from './deleted-store.ts'

/** A deleted module as those see it who can restore it. */
export function presentDeleted({ id, title, deletedAt }: DeletedRow): DeletedModule {
  return {
    id,
    title,
    deletedAt: new Date(deletedAt).toISOString(),
    restorableUntil: new Date(deletedAt + RESTORABLE_MS).toISOString(),
  }
}
