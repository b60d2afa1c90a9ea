import type { ModuleRole } from '#contract/module.ts'
import type { SharedStep } from '#contract/share.ts'
import type { Step } from '#contract/step.ts'
import type { ProposalRow, StepRow } from './step-row.ts'

/** A step as the wire shows it to a caller of this role. */
export function presentStep(row: StepRow, role: ModuleRole): Step {
  const owned = role === 'owner'
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    start: row.startMs / 1000,
    end: row.endMs / 1000,
    duration: (row.endMs - row.startMs) / 1000,
    aliases: row.aliases,
    notes: owned ? row.notes : '',
    isManual: row.isManual,
    originalText: owned ? row.originalText : '',
    aiRewrite: owned ? row.aiRewrite : null,
    isDraft: row.isDraft,
  }
}

/** A proposed step as its owner sees it. */
export function presentProposal(row: ProposalRow): Step {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    start: row.startMs / 1000,
    end: row.endMs / 1000,
    duration: (row.endMs - row.startMs) / 1000,
    aliases: [],
    notes: '',
    isManual: false,
    originalText: row.originalText,
    aiRewrite: null,
    isDraft: row.isDraft,
  }
}

/** A step as anyone with the link sees it. */
export function presentSharedStep(row: StepRow): SharedStep {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    timestamp: row.startMs / 1000,
    duration: (row.endMs - row.startMs) / 1000,
  }
}
