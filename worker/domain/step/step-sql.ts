/** Reads steps out of a JSON list (`?2`) for the module `?1`; the version is the one that the same transaction makes. */
export const INSERT_STEPS = `
  INSERT INTO steps (module_id, id, position, title, description, start_ms, end_ms, aliases, notes, original_text,
                     ai_rewrite, segment_ids, is_manual, is_draft, run, edited_at, added_version)
  SELECT ?1, value->>'id', key, value->>'title', value->>'description', value->>'startMs', value->>'endMs',
         value->'aliases', value->>'notes', value->>'originalText', value->>'aiRewrite', value->'segmentIds',
         value->>'isManual', value->>'isDraft', value->>'run', value->>'editedAt',
         (SELECT steps_version + 1 FROM modules WHERE id = ?1)
  FROM json_each(?2)`

/** Puts the steps of the module `?1` in the order of their times. */
export const ORDER_STEPS = `
  UPDATE steps SET position =
    (SELECT count(*) FROM steps AS other WHERE other.module_id = steps.module_id
     AND (other.start_ms < steps.start_ms OR (other.start_ms = steps.start_ms AND other.id < steps.id)))
  WHERE module_id = ?1`

/** A step that no person has touched. */
export const IS_UNTOUCHED = 'is_manual = 0 AND edited_at IS NULL'
