/** The beginning of an MP4 file: enough to be taken for one, not to be read. */
export const MP4_BEGINNING = new TextEncoder().encode(`\0\0\0\x18ftypisom\0\0\x02${'\0'.repeat(9)}`)
