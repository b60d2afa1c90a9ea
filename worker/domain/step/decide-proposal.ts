import type { DecideProposal, ProposalsAnswer, StepsAnswer } from '#contract/step.ts'
import type { Db } from '#worker/db/db.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { AppError } from '#worker/errors.ts'
import { presentProposal } from './present-step.ts'
import { acceptProposal, listProposals, rejectProposal } from './proposal-store.ts'
import { answerSteps } from './read-steps.ts'

/** What the last run offers beside a person's steps; empty when there is nothing to decide. */
export async function readProposals(db: Db, module: ModuleRow): Promise<ProposalsAnswer> {
  return { success: true, proposals: (await listProposals(db, module.id)).map(presentProposal) }
}

/**
 * Accepts or rejects one proposed step.
 * @returns the steps as they are now
 * @throws {AppError} not_found when there is no such proposal any more
 */
export async function decideProposal(
  deps: { db: Db; d1: D1Database; nowMs: () => number },
  module: ModuleRow,
  { id, decision }: { id: string; decision: DecideProposal['decision'] },
): Promise<StepsAnswer> {
  const isDecided =
    decision === 'accept'
      ? await acceptProposal(deps.d1, { moduleId: module.id, id, nowMs: deps.nowMs() })
      : await rejectProposal(deps.db, module.id, id)
  if (!isDecided) throw new AppError('not_found', 'This proposal has been decided on already.')
  return answerSteps(deps.db, (await findModule(deps.db, module.id)) ?? module, 'owner')
}
