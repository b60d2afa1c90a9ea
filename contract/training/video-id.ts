import { z } from 'zod'

/**
 * Of which video something is that a browser made of it: the id of the module that the video was uploaded for. Left out:
 * of the one that its training was uploaded with.
 */
export const VideoId = z.string().min(1).max(64).optional()
