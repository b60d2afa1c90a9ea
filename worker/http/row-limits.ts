/**
 * The most rows that one call of a route writes, entries of indexes included, by method and path. They are reserved before
 * the call, so that no sum of a person passes its limit, and unwritten rows are refunded. Routes that write what a
 * quota of their own bounds (videos, questions, feedback, captions by their length) and those that delete are not among
 * them: what is deleted was written before.
 */
export const ROWS_MAX: Readonly<Record<string, number>> = {
  'PATCH /api/modules/:moduleId': 100,
  'POST /api/modules/:moduleId/restore': 100,
  'PUT /api/modules/:moduleId/images/:name': 50,
  'POST /api/steps/:moduleId': 4_000,
  'POST /api/steps/:moduleId/proposals': 4_000,
  'POST /api/steps/:moduleId/proposals/:stepId': 1_000,
  'PATCH /api/transcript/:moduleId': 2_500,
  'PATCH /api/transcript/:moduleId/:segmentId': 100,
  'POST /api/reprocess/:moduleId': 1_000,
  'PUT /api/upload/:moduleId/parts/:part': 50,
  'POST /api/upload/:moduleId/audio-urls': 20,
  'POST /api/upload/:moduleId/audio': 1_000,
  'PUT /api/opened-modules/:moduleId': 20,
  'POST /api/questions/:moduleId/settle': 4_000,
  'POST /api/questions/:moduleId/reopen': 4_000,
  'POST /api/modules/:moduleId/take-over': 100,
}
