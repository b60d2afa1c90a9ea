/**
 * Gives segments of the run `?2` of the module `?1` what a person made of the same words in an earlier run: the times
 * overlap, and the transcribed text is the same. A condition may follow.
 */
export const KEEP_CORRECTIONS = `
  UPDATE transcript_segments SET transcribed_text = transcript_segments.text, text = mine.text, edited_at = mine.edited_at
  FROM (SELECT transcribed_text, text, start_ms, end_ms, edited_at FROM transcript_segments
        WHERE module_id = ?1 AND run NOT IN (?2, 0) AND edited_at IS NOT NULL ORDER BY edited_at) AS mine
  WHERE transcript_segments.module_id = ?1 AND transcript_segments.run = ?2 AND transcript_segments.edited_at IS NULL
    AND transcript_segments.text = mine.transcribed_text
    AND transcript_segments.start_ms < mine.end_ms AND transcript_segments.end_ms > mine.start_ms`

/**
 * True for a corrected segment of another run for which the transcript of the module `?1` has no line with the same
 * text at the same time: the correction found no place.
 * @param transcriptRun SQL for the run whose segments are the transcript
 */
export const isOrphaned = (transcriptRun: string) => `
  transcript_segments.edited_at IS NOT NULL AND transcript_segments.run <> ${transcriptRun}
  AND NOT EXISTS (
    SELECT 1 FROM transcript_segments AS kept WHERE kept.module_id = ?1 AND kept.run = ${transcriptRun}
      AND kept.text = transcript_segments.text
      AND kept.start_ms < transcript_segments.end_ms AND kept.end_ms > transcript_segments.start_ms)`
