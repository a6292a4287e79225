// Written by Tests/Tools/generate_syntax_tables.py: the names that HTML, SVG and MathML give a meaning. C's enumerations are
// open: other names, which a tree numbers as it meets them, are values too.

#include <stdint.h>

/// The name of an element; `none` for text, comments and the root.
typedef enum __attribute__((enum_extensibility(open))) MarkupTag : uint16_t {
    MarkupTag_none, MarkupTag_a, MarkupTag_abbr, MarkupTag_acronym, MarkupTag_address, MarkupTag_annotation,
    MarkupTag_annotationXml, MarkupTag_applet, MarkupTag_area, MarkupTag_article, MarkupTag_aside, MarkupTag_audio,
    MarkupTag_b, MarkupTag_base, MarkupTag_basefont, MarkupTag_bdi, MarkupTag_bdo, MarkupTag_bgsound, MarkupTag_big,
    MarkupTag_blink, MarkupTag_blockquote, MarkupTag_body, MarkupTag_br, MarkupTag_button, MarkupTag_canvas,
    MarkupTag_caption, MarkupTag_center, MarkupTag_circle, MarkupTag_cite, MarkupTag_code, MarkupTag_col,
    MarkupTag_colgroup, MarkupTag_data, MarkupTag_datalist, MarkupTag_dd, MarkupTag_defs, MarkupTag_del, MarkupTag_desc,
    MarkupTag_details, MarkupTag_dfn, MarkupTag_dialog, MarkupTag_dir, MarkupTag_div, MarkupTag_dl, MarkupTag_dt,
    MarkupTag_ellipse, MarkupTag_em, MarkupTag_embed, MarkupTag_fieldset, MarkupTag_figcaption, MarkupTag_figure,
    MarkupTag_filter, MarkupTag_font, MarkupTag_footer, MarkupTag_foreignobject, MarkupTag_form, MarkupTag_frame,
    MarkupTag_frameset, MarkupTag_g, MarkupTag_h1, MarkupTag_h2, MarkupTag_h3, MarkupTag_h4, MarkupTag_h5, MarkupTag_h6,
    MarkupTag_head, MarkupTag_header, MarkupTag_hgroup, MarkupTag_hr, MarkupTag_html, MarkupTag_i, MarkupTag_iframe,
    MarkupTag_image, MarkupTag_img, MarkupTag_input, MarkupTag_ins, MarkupTag_isindex, MarkupTag_kbd, MarkupTag_keygen,
    MarkupTag_label, MarkupTag_lambda, MarkupTag_legend, MarkupTag_li, MarkupTag_line, MarkupTag_link,
    MarkupTag_listing, MarkupTag_main, MarkupTag_map, MarkupTag_mark, MarkupTag_marker, MarkupTag_marquee,
    MarkupTag_mask, MarkupTag_math, MarkupTag_menu, MarkupTag_merror, MarkupTag_meta, MarkupTag_metadata,
    MarkupTag_meter, MarkupTag_mfrac, MarkupTag_mi, MarkupTag_mn, MarkupTag_mo, MarkupTag_mover, MarkupTag_mpadded,
    MarkupTag_mphantom, MarkupTag_mroot, MarkupTag_mrow, MarkupTag_ms, MarkupTag_mspace, MarkupTag_msqrt,
    MarkupTag_mstyle, MarkupTag_msub, MarkupTag_msubsup, MarkupTag_msup, MarkupTag_mtable, MarkupTag_mtd,
    MarkupTag_mtext, MarkupTag_mtr, MarkupTag_multicol, MarkupTag_munder, MarkupTag_munderover, MarkupTag_nav,
    MarkupTag_nextid, MarkupTag_nobr, MarkupTag_noembed, MarkupTag_noframes, MarkupTag_noscript, MarkupTag_object,
    MarkupTag_ol, MarkupTag_optgroup, MarkupTag_option, MarkupTag_output, MarkupTag_p, MarkupTag_param, MarkupTag_path,
    MarkupTag_picture, MarkupTag_plaintext, MarkupTag_polygon, MarkupTag_portal, MarkupTag_pre, MarkupTag_progress,
    MarkupTag_q, MarkupTag_rb, MarkupTag_rect, MarkupTag_rp, MarkupTag_rt, MarkupTag_rtc, MarkupTag_ruby, MarkupTag_s,
    MarkupTag_samp, MarkupTag_script, MarkupTag_search, MarkupTag_section, MarkupTag_select, MarkupTag_selectedcontent,
    MarkupTag_semantics, MarkupTag_slot, MarkupTag_small, MarkupTag_source, MarkupTag_spacer, MarkupTag_span,
    MarkupTag_stop, MarkupTag_strike, MarkupTag_strong, MarkupTag_style, MarkupTag_sub, MarkupTag_summary,
    MarkupTag_sup, MarkupTag_svg, MarkupTag_symbol, MarkupTag_table, MarkupTag_tbody, MarkupTag_td, MarkupTag_template,
    MarkupTag_text, MarkupTag_textarea, MarkupTag_textpath, MarkupTag_tfoot, MarkupTag_th, MarkupTag_thead,
    MarkupTag_time, MarkupTag_title, MarkupTag_tr, MarkupTag_track, MarkupTag_tspan, MarkupTag_tt, MarkupTag_u,
    MarkupTag_ul, MarkupTag_variable, MarkupTag_video, MarkupTag_wbr, MarkupTag_xmp,
    /// A name met after the table of interned names was full; such names are compared by their spelling in the source.
    MarkupTag_overflow = UINT16_MAX,
} MarkupTag;
