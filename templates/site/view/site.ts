import { TimelineView } from "./timeline-view.js";

(globalThis as { acpTimelineView?: typeof TimelineView }).acpTimelineView = TimelineView;
