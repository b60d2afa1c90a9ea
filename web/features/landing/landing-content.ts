import * as m from '#messages'

/** Everything that the landing page says and claims, in one place. */

const UPLOAD = { to: '/upload', label: m.upload_video() } as const
const DASHBOARD = { to: '/dashboard', label: m.dashboard_link() } as const
const SIGN_IN = { to: '/sign-in', label: m.sign_in_link() } as const

export const HERO = {
  title: m.record_it_once_everyone_follows(),
  text: m.adapt_turns_a_narrated_how(),
  signedIn: [DASHBOARD, UPLOAD],
  signedOut: [{ to: '/sign-up', label: m.get_started() }, SIGN_IN],
} as const

export const FIGURES = [
  { value: '10,000+', label: m.training_modules_noun() },
  { value: '50,000+', label: m.active_learners() },
  { value: '94%', label: m.completion_rate() },
  { value: m.n_3_hours(), label: m.average_time_saved() },
] as const

export const PROMISES = [
  {
    picture: 'video',
    title: m.video_learning(),
    text: m.drop_a_screen_recording_adapt(),
  },
  {
    picture: 'tutor',
    title: m.ai_assistance(),
    text: m.learners_ask_in_their_own(),
  },
  {
    picture: 'progress',
    title: m.interactive_training(),
    text: m.timestamped_videos_and_progress_tracking(),
  },
] as const

export const WAY = [
  {
    title: m.upload_page_link(),
    text: m.drag_in_the_recording_that(),
  },
  {
    title: m.adapt_writes_the_steps(),
    text: m.title_explanation_and_time_of(),
  },
  {
    title: m.share_the_link(),
    text: m.anybody_with_the_link_watches(),
  },
] as const

export const TESTIMONIALS = [
  {
    quote: m.our_onboarding_was_forty_screen(),
    name: m.sarah_chen(),
    role: m.head_of_training(),
  },
  {
    quote: m.i_record_the_way_i(),
    name: m.marcus_rodriguez(),
    role: m.operations_manager(),
  },
  {
    quote: m.new_hires_ask_the_tutor(),
    name: m.emily_watson(),
    role: m.customer_success_lead(),
  },
] as const

export const CLOSING = {
  title: m.your_next_training_is_already(),
  text: m.take_one_recording_and_see(),
  signedIn: [UPLOAD, DASHBOARD],
  signedOut: [{ to: '/sign-up', label: m.start_free_trial() }, SIGN_IN],
} as const

export const PICTURE = {
  title: m.set_up_a_new_project(),
  caption: m.now_choose_create_project_and(),
  steps: [
    { time: '00:00', title: m.open_the_studio() },
    { time: '00:48', title: m.pick_a_subscription() },
    { time: '02:06', title: m.create_the_project() },
    { time: '03:31', title: m.add_training_data() },
    { time: '05:12', title: m.start_the_first_run() },
  ],
  currentStep: 2,
  currentText: m.choose_create_project_give_it(),
  question: m.which_name_should_i_use(),
  answer: m.any_name_works_the_video(),
  answerTime: '02:19',
} as const
