import type { PersonTraining } from '#contract/records/person-training.ts'
import type { TrainingRecord } from '#contract/records/training-record.ts'
import type { Notice } from '#worker/domain/notice/notice.ts'

/**
 * Names what is told of new records: that a person was signed off, and that a training is done by what the record says.
 * @param known what is known after them
 */
export function eventsOf(records: readonly TrainingRecord[], known: readonly PersonTraining[]): Notice[] {
  return records.flatMap(({ seq, body }): Notice[] => {
    if (body.kind !== 'reached' && body.kind !== 'confirmed' && body.kind !== 'signed_off') return []
    const [personId, moduleId] = [body.person.id, body.training.id]
    const after = known.find((each) => each.personId === personId && each.moduleId === moduleId)
    return [
      ...(body.kind === 'signed_off' ? [{ kind: 'training.signed_off', personId, moduleId, seq } as const] : []),
      ...(after?.done?.seq === seq ? [{ kind: 'training.completed', personId, moduleId, seq } as const] : []),
    ]
  })
}
