/**
 * Stores the steps of JSON lists for the module `?1`; the version is the one that the same transaction makes.
 * @param lists what gives a `key` and a `value` per step
 * @param position SQL for its place in the list
 */
export const insertSteps = (lists: string, position = 'key') => `
  INSERT INTO steps (module_id, id, position, title, description, start_ms, end_ms, aliases, notes, original_text,
                     ai_rewrite, segment_ids, is_manual, is_draft, run, edited_at, added_version)
  SELECT ?1, value->>'id', ${position}, value->>'title', value->>'description', value->>'startMs', value->>'endMs',
         value->'aliases', value->>'notes', value->>'originalText', value->>'aiRewrite', value->'segmentIds',
         value->>'isManual', value->>'isDraft', value->>'run', value->>'editedAt',
         (SELECT steps_version + 1 FROM modules WHERE id = ?1)
  FROM ${lists}`

/** The same for a list that is given as `?2`. */
export const INSERT_STEPS = insertSteps('json_each(?2)')

/** A stored step in the form that {@link insertSteps} reads. */
export const STEP_AS_JSON = `json_object('id', steps.id, 'title', steps.title, 'description', steps.description,
  'startMs', steps.start_ms, 'endMs', steps.end_ms, 'aliases', json(steps.aliases), 'notes', steps.notes,
  'originalText', steps.original_text, 'aiRewrite', steps.ai_rewrite, 'segmentIds', json(steps.segment_ids),
  'isManual', steps.is_manual, 'isDraft', steps.is_draft, 'run', steps.run, 'editedAt', steps.edited_at)`

/**
 * Gives each new step of the module `?1` its place in time among the others: after the one that begins last before it.
 * The others keep their order, which may be a person's own. A condition on `steps` may follow.
 * @param isNew condition that selects the new ones
 * @param among the steps of the module, from which nothing changes when there are none
 */
export const placeSteps = (isNew: string, among = 'steps WHERE module_id = ?1') => `
  UPDATE steps SET position = placed.place FROM (
    SELECT id AS placed_id, row_number() OVER (ORDER BY neighbour, start_ms, id) - 1 AS place FROM (
      SELECT id, start_ms, CASE WHEN ${isNew} THEN coalesce((
          SELECT other.position + 0.5 FROM steps AS other
          WHERE other.module_id = ?1 AND NOT coalesce(${isNew.replaceAll('steps.', 'other.')}, 0)
            AND other.start_ms <= steps.start_ms
          ORDER BY other.start_ms DESC, other.position DESC LIMIT 1), -1)
        ELSE position END AS neighbour
      FROM ${among})) AS placed
  WHERE module_id = ?1 AND id = placed.placed_id`

/** A step that the transaction at work has added. */
export const IS_ADDED_NOW = 'steps.added_version > (SELECT steps_version FROM modules WHERE id = ?1)'

/** A step that no person has touched. */
export const IS_UNTOUCHED = 'is_manual = 0 AND edited_at IS NULL'

/**
 * While no person has saved the list, the steps that a run shows are in order of time, and their position is the time.
 * So a written section changes its own steps only. A save, and the end of the run, renumber all of them.
 */
export const IS_BY_TIME = '(SELECT edited_version = 0 FROM modules WHERE id = ?1)'

/** The steps of the module `?1`; none, and none is read, while they are in order of time. */
export const STEPS_OF_EDITED = `(SELECT steps.* FROM modules CROSS JOIN steps
  WHERE modules.id = ?1 AND modules.edited_version > 0 AND steps.module_id = modules.id) AS steps`
