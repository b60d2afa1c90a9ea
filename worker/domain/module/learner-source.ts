import type { LearnerSource } from '#worker/db/schema.ts'
import type { ModuleRow } from './module-store.ts'

/** Takes of a module what is served of its video. */
export function pickSource(module: ModuleRow): LearnerSource {
  const { sourceKey, sourceEtag, sourceSizeBytes, sourceType, earlyIndex, smallCopy, audioTracks } = module
  return { sourceKey, sourceEtag, sourceSizeBytes, sourceType, earlyIndex, smallCopy, audioTracks }
}

/** A module with the video that learners see: that of the published version, where the draft has another one. */
export function asLearnersSee(module: ModuleRow): ModuleRow {
  return module.learnerSource === null ? module : { ...module, ...module.learnerSource }
}
