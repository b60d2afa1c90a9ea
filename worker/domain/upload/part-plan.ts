import { UPLOAD_PART_BYTES } from '#contract/limits.ts'
import type { PartPlan } from '#contract/upload.ts'

/** How a file of this size is divided: R2 wants all parts but the last of one size. */
export function planParts(sizeBytes: number): PartPlan {
  return { partBytes: UPLOAD_PART_BYTES, partCount: Math.max(1, Math.ceil(sizeBytes / UPLOAD_PART_BYTES)) }
}

/** Bytes of part `part`, counted from 1; 0 when the file has no such part. */
export function partBytesOf(sizeBytes: number, part: number): number {
  if (!Number.isInteger(part) || part < 1) return 0
  return Math.max(0, Math.min(UPLOAD_PART_BYTES, sizeBytes - (part - 1) * UPLOAD_PART_BYTES))
}
